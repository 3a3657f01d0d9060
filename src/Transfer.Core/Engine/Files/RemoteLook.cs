using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Looks at files at the server for facts that their own sessions could not see: lengths, and whether the stored bytes are the bytes
/// sent. When a session is lost after all bytes of an item were moved, only the server's last reply is missing, and another session
/// finds out.
/// </summary>
/// <param name="job">The job.</param>
internal sealed class RemoteLook(JobContext job)
{
    // The delay between two looks, so that a server that is still writing is not taken for one that is done.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    /// <summary>Returns why an item is not known to be complete; null when it is.</summary>
    /// <param name="item">The item, whose session was lost.</param>
    /// <param name="moved">The number of bytes moved: all.</param>
    public async ValueTask<string?> WhyInDoubtAsync(JobItem item, long moved)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(job.Abort, item.Canceled);
            var end = item.Offset + moved;
            if (item.Kind == WorkKind.Download) return await WhyNotAllAsync(item.Path, end, either.Token).ConfigureAwait(false);
            var path = item.TemporaryPath ?? item.Path;
            if (!item.IsSegment && await WhyNotStoredAsync(path, end, either.Token).ConfigureAwait(false) is { } why) return why;
            // The comparison of hashes, which follows, covers more than the last bytes.
            if (item.Hash is not null) return null;
            var start = item.IsSegment ? item.Offset : 0;
            return await EndsAlikeAsync(item.File.Content.ReadBackAsync, path, start, end, either.Token).ConfigureAwait(false) ? null
                : "the bytes stored are not the bytes sent";
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return LogReason.Of(e);
        }
    }

    /// <summary>Returns whether a range of a remote file ends with the same bytes as the same range of the content.</summary>
    /// <param name="here">Reads the content.</param>
    /// <param name="path">The remote file.</param>
    /// <param name="start">The offset of the range's first byte.</param>
    /// <param name="end">The offset behind the range's last byte.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The remote file could not be read.</exception>
    public ValueTask<bool> EndsAlikeAsync(RangeEnds.Read here, string path, long start, long end, CancellationToken ct)
    {
        return RangeEnds.AreEqualAsync(here, ReadThereAsync, start, end, ct);

        async ValueTask<int> ReadThereAsync(long offset, Memory<byte> buffer, CancellationToken token)
        {
            var read = await job.ControlAsync(
                (session, one) => new RangeReadBack(path, offset, buffer.Length, job.Meter).RunAsync(session, one), retry: true,
                token).ConfigureAwait(false);
            read.CopyTo(buffer);
            return read.Length;
        }
    }

    /// <summary>Returns the exact length that a file has now; null when not known.</summary>
    public async ValueTask<long?> LengthNowAsync(string path)
    {
        try
        {
            return await LengthOfAsync(path, job.Abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return null;
        }
    }

    /// <summary>
    /// Returns whether the bytes received are the length that the file has now: a growing file outruns the listed length.
    /// </summary>
    public async ValueTask<bool> IsLengthNowAsync(string path, long arrived) => await LengthNowAsync(path).ConfigureAwait(false) == arrived;

    /// <summary>Compares the length of a download with the listing, when the session had no length to compare with.</summary>
    /// <exception cref="TransferException">The lengths differ.</exception>
    public async ValueTask<WorkOutcome.Done> CompareListedLengthAsync(JobItem item, WorkOutcome.Done done)
    {
        var file = item.File;
        if (item.IsSegment || file is not { Kind: WorkKind.Download, Spec.End: long.MaxValue, Verify: >= VerificationMode.Size })
            return done;
        if (done.Verified >= VerificationMode.Size) return done;
        // A file with a listed length of 0 may hold bytes all the same (/proc).
        if (file.Content.Length is not { } told || told == 0) return done;
        var arrived = file.Spec.Offset + done.Bytes;
        if (arrived == told || await IsLengthNowAsync(item.Path, arrived).ConfigureAwait(false))
            return done with { Verified = VerificationMode.Size };
        throw new TransferException(TransferError.Integrity, $"{arrived} bytes arrived of a file of {told}.") { RemotePath = item.Path };
    }

    /// <summary>Looks at an upload that the server confirmed, when the session could not see the length.</summary>
    /// <param name="item">The upload.</param>
    /// <param name="whole">The length that the upload must have.</param>
    /// <returns>The check that the upload has passed; null: neither presence nor absence was proved.</returns>
    /// <exception cref="TransferException">The server does not show the upload, or the length differs.</exception>
    public async ValueTask<VerificationMode?> CheckUploadAsync(JobItem item, long whole)
    {
        var seen = await job.Lengths.LookAsync(item.TemporaryPath ?? item.Path, job.Abort).ConfigureAwait(false);
        if (WhyNotWhole(seen, whole) is { } why)
            throw new TransferException(TransferError.Integrity, $"{item.File.RemotePath}: {why}") { RemotePath = item.File.RemotePath };
        if (seen.Error is { } unknown)
        {
            Log.NotCompared(job.Logger, item.Path, unknown.Message);
            return null;
        }
        return seen.Entry is { Length: not null, IsLengthApproximate: false } ? VerificationMode.Size : VerificationMode.Reply;
    }

    private static string? WhyNotWhole(in EntryOutcome seen, long whole)
    {
        const string Hidden =
            "the server said that it had stored it, and does not show it. A server that hides what it takes needs --verify reply";
        if (seen.IsAbsent) return $"{Hidden} (VerificationMode.Reply).";
        if (seen.Entry is not { Length: { } found, IsLengthApproximate: false } || found == whole) return null;
        return $"{whole} bytes were sent, and {found} are there.";
    }

    private async ValueTask<string?> WhyNotAllAsync(string path, long arrived, CancellationToken ct)
    {
        var length = await LengthOfAsync(path, ct).ConfigureAwait(false);
        return length == arrived ? null : length is null ? "its length is not known" : $"{arrived} bytes arrived, and {length} are there";
    }

    // Two looks must see the same length: a server goes on writing for a while when the client is gone.
    private async ValueTask<string?> WhyNotStoredAsync(string path, long sent, CancellationToken ct)
    {
        for (long? before = null; ;)
        {
            if (await LengthOfAsync(path, ct).ConfigureAwait(false) is not { } length || length > sent)
                return $"it is not known to have {sent} bytes there";
            if (length == before) return length == sent ? null : $"{length} of {sent} bytes are there";
            before = length;
            await Task.Delay(BetweenLooks, job.Time, ct).ConfigureAwait(false);
        }
    }

    // Null: no exact length is known.
    private async ValueTask<long?> LengthOfAsync(string path, CancellationToken ct)
    {
        var entry = await job.ControlAsync((session, token) => LengthLook.GetAsync(session, path, token), retry: true,
            ct).ConfigureAwait(false);
        return entry is { IsLengthApproximate: false } ? entry.Length : null;
    }
}
