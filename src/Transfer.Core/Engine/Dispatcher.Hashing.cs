using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine;

internal sealed partial class Dispatcher
{
    /// <summary>What to hash with: what the server computes itself, as far as that is known; else what is best.</summary>
    public string HashAlgorithm => FileHash.Choose(_pool.LastFeatures?.Hashes ?? []);

    // The content was moved, and hashed on its way. An upload is under its temporary name still: the session was not told of any other.
    private async ValueTask<FileEnd?> CheckHashAsync(JobItem item, WorkOutcome.Done done, ContentHash ours)
    {
        var (file, publishing) = (item.File, false);
        try
        {
            if (ours.End != done.Bytes) throw Differs($"{done.Bytes} bytes were moved, and {ours.End} hashed");
            var (theirs, source) = await HashOfAsync(item.Path, ours).ConfigureAwait(false);
            if (!string.Equals(theirs, ours.Digits, StringComparison.OrdinalIgnoreCase)) throw Differs($"{ours.Algorithm} is {ours.Digits} here and {theirs} there");
            publishing = true;
            if (item.Unpublished is { } temporary) await PublishAsync(file, temporary, done.Bytes, VerificationMode.Hash, done.HasMode).ConfigureAwait(false);
            var end = await FinishAsync(file, done with { Verified = VerificationMode.Hash }).ConfigureAwait(false);
            return end with { Result = end.Result! with { HashAlgorithm = ours.Algorithm, HashSource = source } };
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, item.Unpublished, publishing, e).ConfigureAwait(false);
        }

        TransferException Differs(string how) => new(TransferError.Integrity, $"{file.RemotePath}: {how}.") { RemotePath = file.RemotePath };
    }

    // It is whole, under its temporary name: what it replaces goes to its backup first.
    private async ValueTask<FileEnd?> PublishLaterAsync(JobItem item, WorkOutcome.Done done, string temporary)
    {
        var file = item.File;
        var bytes = done.Bytes + Continued(item);
        try
        {
            var verified = await PublishAsync(file, temporary, bytes, done.Verified, done.HasMode).ConfigureAwait(false);
            return await FinishAsync(file, done with { Bytes = bytes, Verified = verified }).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, temporary, publishing: true, e).ConfigureAwait(false);
        }
    }

    private async ValueTask<(string Digits, HashSource Source)> HashOfAsync(string path, ContentHash ours)
    {
        var (computed, source) = await ControlAsync(
            async (session, ct) => (await session.HashAsync(path, ours.Algorithm, ct).ConfigureAwait(false), session.HashSource), retry: true, _abort).ConfigureAwait(false);
        if (computed is not null) return (computed, source);
        Log.ReadBack(_logger, path, ours.Algorithm);
        var read = await ControlAsync(async (session, ct) =>
        {
            using var back = new HashReadBack(path, ours.End, ours.Algorithm, Flow);
            return (await back.RunAsync(session, ct).ConfigureAwait(false)).Digits;
        }, retry: true, _abort).ConfigureAwait(false);
        return (read, HashSource.ReadBack);
    }
}
