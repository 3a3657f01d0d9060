using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine;

// What becomes of an item of which all was moved when its session was lost: only the server's last word is missing, and another session can see what it would have been.
internal sealed partial class Dispatcher
{
    // A server that is still writing is not taken for one that is done.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(1);

    private async ValueTask<FileEnd?> ResolveMovedAsync(JobItem item, long moved, TransferException error)
    {
        var file = item.File;
        Log.InDoubt(_logger, item.Path, error.Message);
        if (await WhyInDoubtAsync(item, moved).ConfigureAwait(false) is { } why)
        {
            if (!IsCanceled(file)) Log.StillInDoubt(_logger, item.Path, why);
            if (item.Unpublished is { } unpublished) _leftovers.Add(unpublished);
            return await RetryAsync(item, error).ConfigureAwait(false);
        }
        Log.NoLongerInDoubt(_logger, item.Path, error.Message);
        var done = new WorkOutcome.Done(moved, file.Segment is null ? VerificationMode.Size : VerificationMode.Reply);
        if (file.Segment is not null) return await EndOfSegmentAsync(item, done).ConfigureAwait(false);
        if (item.Hash is { } hash) return await CheckHashAsync(item, done, hash).ConfigureAwait(false);
        if (file is { Kind: WorkKind.Upload, Publish: PublishMode.Direct, Spec.Metadata: { } metadata })
            await SetAsync(item.Path, metadata).ConfigureAwait(false);
        return await EndOfWholeAsync(item, moved + Continued(item), VerificationMode.Size).ConfigureAwait(false);
    }

    // All of it is there, under the name that it was written under.
    private async ValueTask<FileEnd?> EndOfWholeAsync(JobItem item, long whole, VerificationMode verified)
    {
        var (file, unnamed) = (item.File, item.TemporaryPath ?? item.Unpublished);
        try
        {
            if (unnamed is { } temporary) await PublishAsync(file, temporary, whole, VerificationMode.Size).ConfigureAwait(false);
            return await FinishAsync(file, new WorkOutcome.Done(whole, verified)).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, unnamed, publishing: true, e).ConfigureAwait(false);
        }
    }

    // Null: all of it is there.
    private async ValueTask<string?> WhyInDoubtAsync(JobItem item, long moved)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(_abort, item.Canceled);
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
            await Task.Delay(BetweenLooks, _time, ct).ConfigureAwait(false);
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
            var read = await ControlAsync((session, one) => new RangeReadBack(path, offset, buffer.Length).RunAsync(session, one), retry: true, token).ConfigureAwait(false);
            read.CopyTo(buffer);
            return read.Length;
        }
    }

    // Null: not known exactly.
    private async ValueTask<long?> LengthOfAsync(string path, CancellationToken ct)
    {
        var entry = await ControlAsync((session, token) => LengthLook.GetAsync(session, path, token), retry: true, ct).ConfigureAwait(false);
        return entry is { IsLengthApproximate: false } ? entry.Length : null;
    }

    // What can't be set is no failure of the file's.
    private async ValueTask SetAsync(string path, FileMetadata metadata)
    {
        try
        {
            await ControlAsync(async (session, ct) =>
            {
                await session.SetMetadataAsync(path, metadata, ct).ConfigureAwait(false);
                return true;
            }, retry: true, _abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            Log.NotSet(_logger, path, e.Message);
        }
    }

    // What was sent is whole, or was to be compared, and has not its name.
    private async ValueTask<FileEnd?> NotPublishedAsync(JobFile file, string? temporary, bool publishing, Exception why)
    {
        if (temporary is not null && why is not TransferException { Kept.Count: > 0 }) _leftovers.Add(temporary);
        if (why is not TransferException error) return FileEnd.Canceled;
        if (error.NeedsDirectPublish) return await WithoutRenameAsync(file, error).ConfigureAwait(false);
        if (publishing || !error.IsTransient || !MayTryAgain(file)) return EndWith(file, error);
        file.Attempts.RetryAfter = _pool.Retry.DelayAfter(file.Attempts.Count, Random.Shared.NextDouble());
        return await AgainAsync(file, error).ConfigureAwait(false);
    }
}
