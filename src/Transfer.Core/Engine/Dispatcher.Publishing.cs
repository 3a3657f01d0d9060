using System.Collections.Concurrent;
using Transfer.Diagnostics;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine;

// How files that are whole get their names where their own sessions have not given them.
internal sealed partial class Dispatcher
{
    // Folders in which nothing can be renamed, for certain.
    private readonly ConcurrentDictionary<string, TransferException> _withoutRename = new(StringComparer.Ordinal);

    private int _saysWithoutRename;
    private int _saysModeLost;

    /// <summary>Gives a file that is there under its temporary name its own. A session that is lost over it leaves in doubt whether it has: the next one looks.</summary>
    /// <param name="file">The file.</param>
    /// <param name="temporary">The temporary name.</param>
    /// <param name="length">How long it must be.</param>
    /// <param name="verified">How it has been checked so far: its length is, where it was not.</param>
    /// <param name="hasMode">It has the permissions that it is to have.</param>
    /// <param name="mode">The permissions that it gets with its name; null: it has them, or they are not known yet.</param>
    private async ValueTask<VerificationMode> PublishAsync(JobFile file, string temporary, long length, VerificationMode verified, bool hasMode = false, UnixFileMode? mode = null)
    {
        mode = file.Spec.Metadata?.Mode ?? mode;
        hasMode |= mode is not null;
        if (file.Spec.Backup is not { } backup) return await NameAsync(file, temporary, length, verified, hasMode, mode).ConfigureAwait(false);
        // What it replaces is at its place for the last time.
        if (!hasMode)
        {
            await ControlAsync(async (session, ct) =>
            {
                await SettleModeAsync(session, file, temporary, ct).ConfigureAwait(false);
                return true;
            }, retry: true, _abort).ConfigureAwait(false);
        }
        await backup.TakeAsync(_abort).ConfigureAwait(false);
        try
        {
            return await NameAsync(file, temporary, length, verified, hasMode: true, mode).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            throw await backup.UndoAsync(e).ConfigureAwait(false);
        }
    }

    private async ValueTask SettleModeAsync(TransferSession session, JobFile file, string temporary, CancellationToken ct)
    {
        if (file.Spec.Metadata?.Mode is not null) return;
        var settlement = new ModeSettlement(temporary, file.Replace ? file.RemotePath : null, file.Spec.SourceMode);
        if (!await session.SettleModeAsync(settlement, ct).ConfigureAwait(false)) LosesMode(file);
    }

    // Once a job.
    private void LosesMode(JobFile file)
    {
        if (Interlocked.Exchange(ref _saysModeLost, 1) == 0) Log.ModeLost(_logger, file.RemotePath);
    }

    private ValueTask<VerificationMode> NameAsync(JobFile file, string temporary, long length, VerificationMode verified, bool hasMode, UnixFileMode? mode)
    {
        var renaming = false;
        return ControlAsync(async (session, ct) =>
        {
            var known = verified;
            if (known < VerificationMode.Size && !renaming && (await session.GetEntryAsync(temporary, ct).ConfigureAwait(false))?.Length is { } found)
            {
                if (found != length)
                    throw new TransferException(TransferError.Integrity, $"{file.RemotePath}: {length} bytes were sent, and {found} are there.") { RemotePath = file.RemotePath };
                known = VerificationMode.Size;
            }
            if (!hasMode) await SettleModeAsync(session, file, temporary, ct).ConfigureAwait(false);
            var isInDoubt = renaming;
            renaming = true;
            try
            {
                await session.RenameAsync(NamingOf(file, temporary, length, isInDoubt, mode), ct).ConfigureAwait(false);
            }
            catch (TransferException e) when (file.Spec.TemporaryFolder is { } folder && e is not TransferConnectionException)
            {
                throw TemporaryFolder.Explain(e, folder);
            }
            if (file.Spec.Options.FlushToDisk) await session.FlushNameAsync(file.RemotePath, ct).ConfigureAwait(false);
            return known;
        }, retry: true, _abort);
    }

    // The content was verified and the rename sent; only its reply is missing. Another session can see which it was.
    private async ValueTask<WorkOutcome.Done?> ResolveAsync(JobItem item)
    {
        var file = item.File;
        try
        {
            var length = file.Content.WholeLength ?? item.Reported;
            await ControlAsync(async (session, ct) =>
            {
                await SettleModeAsync(session, file, item.TemporaryPath!, ct).ConfigureAwait(false);
                await session.RenameAsync(NamingOf(file, item.TemporaryPath!, length, isInDoubt: true), ct).ConfigureAwait(false);
                if (file.Spec.Options.FlushToDisk) await session.FlushNameAsync(file.RemotePath, ct).ConfigureAwait(false);
                return true;
            }, retry: true, _abort).ConfigureAwait(false);
            return new(length, VerificationMode.Size);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            if (e is TransferException { Kept: { Count: > 0 } kept }) Owner.Keeps(file.RemotePath, kept);
            Log.StillInDoubt(_logger, item.Path, e.Message);
            return null;
        }
    }

    private Renaming NamingOf(JobFile file, string temporary, long length, bool isInDoubt, UnixFileMode? mode = null) => new(temporary, file.RemotePath)
    {
        IsTemporary = true,
        Replace = file.Replace,
        Metadata = mode is null ? file.Spec.Metadata : (file.Spec.Metadata ?? new()) with { Mode = mode },
        Length = length,
        Modified = _pool.LastFeatures is { SetsModified: true } ? file.Spec.Metadata?.Modified : null,
        InDoubt = isInDoubt,
        Trace = isInDoubt ? Owner.Asides.Trace(temporary, file.RemotePath) : default,
        Asides = Owner.Asides,
    };

    /// <summary>Nothing can be renamed in a file's folder: the file is sent under its own name where that is certain to be free. Null: it is in line again.</summary>
    private async ValueTask<FileEnd?> WithoutRenameAsync(JobFile file, TransferException error)
    {
        _withoutRename.TryAdd(RemotePath.GetParent(file.RemotePath) ?? "/", error);
        if (IsCanceled(file) || IsLeftOut(file)) return FileEnd.Canceled;
        var why = await WhyNotDirectAsync(file).ConfigureAwait(false);
        if (why is not null) return EndWith(file, NeedsDirect(file, error, why));
        if (Interlocked.Exchange(ref _saysWithoutRename, 1) == 0) Log.RenamesNothing(_logger, file.RemotePath);
        else Log.PublishedDirectly(_logger, file.RemotePath);
        file.Publish = PublishMode.Direct;
        file.Attempts.Count = Math.Max(0, file.Attempts.Count - 1);
        if (await AgainAsync(file, error).ConfigureAwait(false) is { } end) return end;
        file.IsNewByItself = true;
        return null;
    }

    // Null: the name is free.
    private async ValueTask<string?> WhyNotDirectAsync(JobFile file)
    {
        if (!file.Content.CanReplay) return "its content cannot be read a second time";
        try
        {
            var there = await ControlAsync((session, ct) => session.GetEntryAsync(file.RemotePath, ct), retry: true, _abort).ConfigureAwait(false);
            return there is null ? null : "a file of that name exists, and stays";
        }
        catch (TransferException e)
        {
            return $"its name cannot be looked at, and may be taken ({e.Message})";
        }
    }

    // Half of a file is under its own name. Where nothing had that before, it is deleted; where something had, or it can't be deleted, it is named.
    private async ValueTask<FileEnd> EndWithPartAsync(JobFile file, TransferException error)
    {
        var why = file.IsNewByItself ? await WhyNotDeletedAsync(file.RemotePath).ConfigureAwait(false) : "it may be deleted, or sent again";
        return EndWith(file, why is null ? error : error.WithMessage($"{error.Message} {file.RemotePath} may hold a part of the content now: {why}.", file.RemotePath));
    }

    private async ValueTask<string?> WhyNotDeletedAsync(string path)
    {
        try
        {
            return (await DeleteFilesAsync([path], CancellationToken.None).ConfigureAwait(false))[0] is { Error: not TransferError.NotFound } refusal ? refusal.Message : null;
        }
        catch (TransferException e)
        {
            return e.Message;
        }
    }

    private static TransferException NeedsDirect(JobFile file, TransferException error, string why) =>
        new(error.Error, $"{error.Message} {why}: only --publish direct (PublishMode.Direct), which writes under the file's own name, can send it.", error)
        {
            RemotePath = file.RemotePath,
            ServerCode = error.ServerCode,
            NeedsDirectPublish = true,
            Kept = error.Kept,
        };

    // Under the rule of its folder, nothing of it is sent in vain.
    private TransferException? WhyNotRenamed(JobFile file) => file is { Kind: WorkKind.Upload, Publish: PublishMode.Rename, Segment: null } && !_withoutRename.IsEmpty
        ? _withoutRename.GetValueOrDefault(RemotePath.GetParent(file.RemotePath) ?? "/")
        : null;

    private async Task GoDirectAsync(JobFile file, TransferException why)
    {
        FileEnd? end;
        try
        {
            end = await WithoutRenameAsync(file, why).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            end = FileEnd.Canceled;
        }
        if (end is not { } ended)
        {
            await RequeueAsync(file).ConfigureAwait(false);
            return;
        }
        await EndAsync(file, ended).ConfigureAwait(false);
        lock (_gate)
        {
            SettleLocked(-1);
            _scheduler.StartWorkersLocked();
            CheckCompletionLocked();
        }
    }
}
