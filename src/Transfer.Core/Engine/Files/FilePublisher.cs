using Transfer.Diagnostics;
using Transfer.Modes;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Gives uploads their names that are whole under their temporary ones, where their own sessions have not.</summary>
/// <param name="job">The job.</param>
internal sealed class FilePublisher(JobContext job)
{
    private int _saysModeLost;

    /// <summary>
    /// Gives a file that is there under its temporary name its own. A session that is lost over it leaves in doubt whether it has: the
    /// next one looks.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="temporary">The temporary name.</param>
    /// <param name="length">How long it must be.</param>
    /// <param name="verified">How it has been checked so far: its length is, where it was not.</param>
    /// <param name="hasMode">It has the permissions that it is to have.</param>
    /// <param name="mode">The permissions that it gets with its name; null: it has them, or they are not known yet.</param>
    public async ValueTask<VerificationMode> PublishAsync(JobFile file, string temporary, long length, VerificationMode verified, bool hasMode = false, UnixFileMode? mode = null)
    {
        mode = file.Spec.Metadata?.Mode ?? mode;
        hasMode |= mode is not null;
        if (file.Spec.Backup is not { } backup) return await NameAsync(file, temporary, length, verified, hasMode, mode).ConfigureAwait(false);
        // What it replaces is at its place for the last time.
        if (!hasMode)
        {
            await job.ControlAsync(async (session, ct) =>
            {
                await SettleModeAsync(session, file, temporary, ct).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
        }
        await backup.TakeAsync(job.Abort).ConfigureAwait(false);
        try
        {
            return await NameAsync(file, temporary, length, verified, hasMode: true, mode).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            throw await backup.UndoAsync(e).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// The content was verified and the rename sent; only its reply is missing. Another session sees which it was. Null: the file is not
    /// there under its name.
    /// </summary>
    public async ValueTask<WorkOutcome.Done?> ResolveAsync(JobItem item)
    {
        var file = item.File;
        try
        {
            var length = file.Content.WholeLength ?? item.Reported;
            await job.ControlAsync(async (session, ct) =>
            {
                await SettleModeAsync(session, file, item.TemporaryPath!, ct).ConfigureAwait(false);
                await session.RenameAsync(NamingOf(file, item.TemporaryPath!, length, isInDoubt: true), ct).ConfigureAwait(false);
                if (file.Spec.Options.FlushToDisk) await session.FlushNameAsync(file.RemotePath, ct).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
            return new(length, VerificationMode.Size);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            if (e is TransferException { Kept: { Count: > 0 } kept }) job.Owner.Keeps(file.RemotePath, kept);
            Log.StillInDoubt(job.Logger, item.Path, e.Message);
            return null;
        }
    }

    /// <summary>
    /// Sets the time and the permissions of a file that is there under its own name. What can't be set is no failure of the file's.
    /// </summary>
    public async ValueTask SetAsync(string path, FileMetadata metadata)
    {
        try
        {
            await job.ControlAsync(async (session, ct) =>
            {
                await session.SetMetadataAsync(path, metadata, ct).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
        }
        catch (Exception e) when (e is TransferException or OperationCanceledException)
        {
            Log.NotSet(job.Logger, path, e.Message);
        }
    }

    /// <summary>The server does not set a file's permissions. The log has it once a job.</summary>
    public void LosesMode(JobFile file)
    {
        if (Interlocked.Exchange(ref _saysModeLost, 1) == 0) Log.ModeLost(job.Logger, file.RemotePath);
    }

    private async ValueTask SettleModeAsync(TransferSession session, JobFile file, string temporary, CancellationToken ct)
    {
        if (file.Spec.Metadata?.Mode is not null) return;
        var settlement = new ModeSettlement(temporary, file.Replace ? file.RemotePath : null, file.Spec.SourceMode);
        if (!await session.SettleModeAsync(settlement, ct).ConfigureAwait(false)) LosesMode(file);
    }

    private ValueTask<VerificationMode> NameAsync(JobFile file, string temporary, long length, VerificationMode verified, bool hasMode, UnixFileMode? mode)
    {
        var renaming = false;
        return job.ControlAsync(async (session, ct) =>
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
                throw TemporaryFolderError.Explain(e, folder);
            }
            if (file.Spec.Options.FlushToDisk) await session.FlushNameAsync(file.RemotePath, ct).ConfigureAwait(false);
            return known;
        });
    }

    private Renaming NamingOf(JobFile file, string temporary, long length, bool isInDoubt, UnixFileMode? mode = null) => new(temporary, file.RemotePath)
    {
        IsTemporary = true,
        Replace = file.Replace,
        MustSeeTarget = file.Spec.IsTargetUnseen,
        Metadata = mode is null ? file.Spec.Metadata : (file.Spec.Metadata ?? new()) with { Mode = mode },
        Length = length,
        Modified = job.Pool.LastFeatures is { SetsModified: true } ? file.Spec.Metadata?.Modified : null,
        InDoubt = isInDoubt,
        Trace = isInDoubt ? job.Owner.Asides.Trace(temporary, file.RemotePath) : default,
        Asides = job.Owner.Asides,
    };
}
