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
            if (item.Unpublished is { } temporary) await PublishAsync(file, temporary, done.Bytes, Verification.Hash, () => publishing = true).ConfigureAwait(false);
            publishing = true;
            var end = await FinishAsync(file, done with { Verified = Verification.Hash }).ConfigureAwait(false);
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
        var (file, publishing) = (item.File, false);
        var bytes = done.Bytes + Continued(item);
        try
        {
            var verified = await PublishAsync(file, temporary, bytes, done.Verified, () => publishing = true).ConfigureAwait(false);
            return await FinishAsync(file, done with { Bytes = bytes, Verified = verified }).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return await NotPublishedAsync(file, temporary, publishing, e).ConfigureAwait(false);
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

    /// <summary>Gives a file that is there under its temporary name its own.</summary>
    /// <param name="file">The file.</param>
    /// <param name="temporary">The temporary name.</param>
    /// <param name="length">How long it must be.</param>
    /// <param name="verified">How it has been checked so far: its length is, where it was not.</param>
    /// <param name="renames">Told when from now on it may have its name.</param>
    private async ValueTask<Verification> PublishAsync(JobFile file, string temporary, long length, Verification verified, Action renames)
    {
        if (file.Backup is not { } backup) return await NameAsync(file, temporary, length, verified, renames).ConfigureAwait(false);
        await backup.TakeAsync(_abort).ConfigureAwait(false);
        try
        {
            return await NameAsync(file, temporary, length, verified, renames).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            throw await backup.UndoAsync(e).ConfigureAwait(false);
        }
    }

    private ValueTask<Verification> NameAsync(JobFile file, string temporary, long length, Verification verified, Action renames)
    {
        var renaming = false;
        return ControlAsync(async (session, ct) =>
        {
            var known = verified;
            if (known < Verification.Size || renaming)
            {
                var there = await session.GetEntryAsync(temporary, ct).ConfigureAwait(false);
                // A session that was lost over the rename has done it.
                if (there is null && renaming) return Verification.Size;
                if (there?.Length is { } found)
                {
                    if (found != length)
                        throw new TransferException(TransferError.Integrity, $"{file.RemotePath}: {length} bytes were sent, and {found} are there.") { RemotePath = file.RemotePath };
                    known = Verification.Size;
                }
            }
            renaming = true;
            renames();
            try
            {
                await session.PublishAsync(temporary, file.RemotePath, file.Replace, file.Metadata, ct).ConfigureAwait(false);
            }
            catch (TransferException e) when (file.TemporaryFolder is { } folder && e is not TransferConnectionException)
            {
                throw TemporaryFolder.Explain(e, folder);
            }
            if (file.FlushToDisk) await session.FlushNameAsync(file.RemotePath, ct).ConfigureAwait(false);
            return known;
        }, retry: true, _abort);
    }

    // Where a rename can't replace, the old file is deleted before it.
    private async ValueTask<bool> IsAllThereIsAsync(JobFile file)
    {
        if (!file.Replace) return false;
        try
        {
            return await ControlAsync((session, ct) => session.GetEntryAsync(file.RemotePath, ct), retry: true, _abort).ConfigureAwait(false) is null;
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            return true; // not known: it stays
        }
    }
}
