using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Looks at files at the server for what their own sessions could not see: lengths, and whether what is there is what was sent. Of an
/// item of which all was moved when its session was lost only the server's last word is missing, and another session sees what it would
/// have been.
/// </summary>
/// <param name="job">The job.</param>
internal sealed class RemoteLook(JobContext job)
{
    // A server that is still writing is not taken for one that is done.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    /// <summary>Why it is not known that all of an item is there; null: it is.</summary>
    /// <param name="item">The item, whose session was lost.</param>
    /// <param name="moved">The bytes that were moved: all.</param>
    public async ValueTask<string?> WhyInDoubtAsync(JobItem item, long moved)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(job.Abort, item.Canceled);
            var end = item.Offset + moved;
            if (item.Kind == WorkKind.Download) return await WhyNotAllAsync(item.Path, end, either.Token).ConfigureAwait(false);
            var path = item.TemporaryPath ?? item.Path;
            if (!item.IsSegment && await WhyNotStoredAsync(path, end, either.Token).ConfigureAwait(false) is { } why) return why;
            // A hash says more than the last bytes.
            if (item.Hash is not null) return null;
            var start = item.IsSegment ? item.Offset : 0;
            return await EndsAlikeAsync(item.File.Content.ReadBackAsync, path, start, end, either.Token).ConfigureAwait(false) ? null : "what is there is not what was sent";
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return e.Message;
        }
    }

    /// <summary>A range of a remote file ends as the same range here.</summary>
    /// <param name="here">Reads what is here.</param>
    /// <param name="path">The remote file.</param>
    /// <param name="start">The range's first byte, and</param>
    /// <param name="end">the one behind its last.</param>
    /// <param name="ct">Cancels.</param>
    /// <exception cref="TransferException">The remote file could not be read.</exception>
    public ValueTask<bool> EndsAlikeAsync(RangeEnds.Read here, string path, long start, long end, CancellationToken ct)
    {
        return RangeEnds.AreAlikeAsync(here, ReadThereAsync, start, end, ct);

        async ValueTask<int> ReadThereAsync(long offset, Memory<byte> buffer, CancellationToken token)
        {
            var read = await job.ControlAsync((session, one) => new RangeReadBack(path, offset, buffer.Length, job.Meter).RunAsync(session, one), retry: true, token).ConfigureAwait(false);
            read.CopyTo(buffer);
            return read.Length;
        }
    }

    /// <summary>The exact length that a file has now; null: not known.</summary>
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

    /// <summary>What grows was longer, or is, than it was told: one more look decides.</summary>
    public async ValueTask<bool> IsLengthNowAsync(string path, long arrived) => await LengthNowAsync(path).ConfigureAwait(false) == arrived;

    /// <summary>Compares a download, of which the session was told no length, with what the listing said.</summary>
    /// <exception cref="TransferException">It is of another length.</exception>
    public async ValueTask<WorkOutcome.Done> CompareToldAsync(JobItem item, WorkOutcome.Done done)
    {
        var file = item.File;
        if (item.IsSegment || file is not { Kind: WorkKind.Download, Spec.End: long.MaxValue, Verify: >= VerificationMode.Size }) return done;
        if (done.Verified >= VerificationMode.Size) return done;
        // A file that says 0 may hold something all the same (/proc).
        if (file.Content.Length is not { } told || told == 0) return done;
        var arrived = file.Spec.Offset + done.Bytes;
        if (arrived == told || await IsLengthNowAsync(item.Path, arrived).ConfigureAwait(false))
            return done with { Verified = VerificationMode.Size };
        throw new TransferException(TransferError.Integrity, $"{arrived} bytes arrived of a file of {told}.") { RemotePath = item.Path };
    }

    /// <summary>Looks at an upload that the server confirmed, and whose length the session could not see.</summary>
    /// <param name="item">The upload.</param>
    /// <param name="whole">How long it must be.</param>
    /// <returns>How it is checked now.</returns>
    /// <exception cref="TransferException">The server does not show it, or it is of another length.</exception>
    public async ValueTask<VerificationMode> SeeAsync(JobItem item, long whole)
    {
        var seen = await job.Lengths.AskAsync(item.TemporaryPath ?? item.Path, job.Abort).ConfigureAwait(false);
        if (WhyNotWhole(seen, whole) is { } why)
            throw new TransferException(TransferError.Integrity, $"{item.File.RemotePath}: {why}") { RemotePath = item.File.RemotePath };
        if (seen.Error is { } unknown) Log.NotCompared(job.Logger, item.Path, unknown.Message);
        return seen.Entry is { Length: not null, IsLengthApproximate: false } ? VerificationMode.Size : VerificationMode.Reply;
    }

    private static string? WhyNotWhole(in EntryOutcome seen, long whole)
    {
        const string Hidden = "the server said that it had stored it, and does not show it. A server that hides what it takes needs --verify reply";
        if (seen.IsAbsent) return $"{Hidden} (VerificationMode.Reply).";
        if (seen.Entry is not { Length: { } found, IsLengthApproximate: false } || found == whole) return null;
        return $"{whole} bytes were sent, and {found} are there.";
    }

    private async ValueTask<string?> WhyNotAllAsync(string path, long arrived, CancellationToken ct)
    {
        var length = await LengthOfAsync(path, ct).ConfigureAwait(false);
        return length == arrived ? null : length is null ? "its length is not known" : $"{arrived} bytes arrived, and {length} are there";
    }

    // The same length twice: a server writes on for a while when its client is gone.
    private async ValueTask<string?> WhyNotStoredAsync(string path, long sent, CancellationToken ct)
    {
        for (long? before = null; ;)
        {
            if (await LengthOfAsync(path, ct).ConfigureAwait(false) is not { } length || length > sent) return $"it is not known to have {sent} bytes there";
            if (length == before) return length == sent ? null : $"{length} of {sent} bytes are there";
            before = length;
            await Task.Delay(BetweenLooks, job.Time, ct).ConfigureAwait(false);
        }
    }

    // Null: not known exactly.
    private async ValueTask<long?> LengthOfAsync(string path, CancellationToken ct)
    {
        var entry = await job.ControlAsync((session, token) => LengthLook.GetAsync(session, path, token), retry: true, ct).ConfigureAwait(false);
        return entry is { IsLengthApproximate: false } ? entry.Length : null;
    }
}
