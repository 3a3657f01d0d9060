using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine;

// Lengths that a session could not compare: with what the listing told, and with what is there now.
internal sealed partial class Dispatcher
{
    private readonly LookLine _lengths;

    // A download of which the session was told no length, as long as the listing says that it is.
    private async ValueTask<WorkOutcome.Done> CompareToldAsync(JobItem item, WorkOutcome.Done done)
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

    // More came than the file's length. One that has grown is gone on with where it ended before, up to its new length; a server that
    // just does not stop has failed the file.
    private async ValueTask<FileEnd?> EndOfExceededAsync(JobItem item, long told, TransferException error)
    {
        var file = item.File;
        if (await LengthNowAsync(item.Path).ConfigureAwait(false) is not { } now || now <= told) return EndWith(file, error);
        var grown = new TransferException(TransferError.Integrity, $"{file.RemotePath} grows while it is read: it had {told} bytes, and has {now} now.") { RemotePath = file.RemotePath, IsTransient = true };
        var goesOn = file is { Verify: not VerificationMode.Hash, Segment: null, Spec.ReadFor: null };
        if (goesOn ? !MayTryMore(file) : !MayTryAgain(file)) return EndWith(file, grown);
        file.Attempts.GrownTo = now;
        file.Attempts.RetryAfter = _pool.Retry.DelayAfter(file.Attempts.Count, Random.Shared.NextDouble());
        return await AgainAsync(file, grown, goesOnAt: goesOn ? told : null).ConfigureAwait(false);
    }

    private async ValueTask<long?> LengthNowAsync(string path)
    {
        try
        {
            return await LengthOfAsync(path, _abort).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return null;
        }
    }

    // What grows was longer, or is, than it was told: one more look decides.
    private async ValueTask<bool> IsLengthNowAsync(string path, long arrived) => await LengthNowAsync(path).ConfigureAwait(false) == arrived;

    // An upload that the server confirmed, and whose length the session could not see: it is published when it was seen by other means.
    private async ValueTask<FileEnd?> EndOfUnseenAsync(JobItem item, WorkOutcome.Done done)
    {
        var (file, whole) = (item.File, done.Bytes + Continued(item));
        try
        {
            var seen = await _lengths.AskAsync(item.TemporaryPath ?? item.Path, _abort).ConfigureAwait(false);
            if (WhyNotWhole(seen, whole) is { } why)
                throw new TransferException(TransferError.Integrity, $"{file.RemotePath}: {why}") { RemotePath = file.RemotePath };
            if (seen.Error is { } unknown) Log.NotCompared(_logger, item.Path, unknown.Message);
            var verified = seen.Entry is { Length: not null, IsLengthApproximate: false } ? VerificationMode.Size : VerificationMode.Reply;
            return await EndOfWholeAsync(item, whole, verified).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, item.TemporaryPath ?? item.Unpublished, publishing: false, e).ConfigureAwait(false);
        }
    }

    private static string? WhyNotWhole(in EntryOutcome seen, long whole)
    {
        const string Hidden = "the server said that it had stored it, and does not show it. A server that hides what it takes needs --verify reply";
        if (seen.IsAbsent) return $"{Hidden} (VerificationMode.Reply).";
        if (seen.Entry is not { Length: { } found, IsLengthApproximate: false } || found == whole) return null;
        return $"{whole} bytes were sent, and {found} are there.";
    }
}
