using Transfer.Diagnostics;
using Transfer.Modes;
using Transfer.Pooling;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>Gives the final names to complete uploads under temporary names, where their own sessions have not.</summary>
/// <param name="job">The job.</param>
internal sealed class FilePublisher(JobContext job)
{
    private int _saysModeLost;

    /// <summary>
    /// Renames a complete file from the temporary name to the final one. A session that is lost meanwhile leaves the rename in doubt: the
    /// next session looks.
    /// </summary>
    /// <param name="file">The file.</param>
    /// <param name="temporary">The temporary name.</param>
    /// <param name="length">The length that the file must have.</param>
    /// <param name="verified">The check made so far; where the length was not checked, this method does.</param>
    /// <param name="hasMode">Whether the file has the final permissions.</param>
    /// <param name="mode">The permissions to set with the name; null: already set, or not known yet.</param>
    public async ValueTask<VerificationMode> PublishAsync(JobFile file, string temporary, long length, VerificationMode verified,
        bool hasMode = false, UnixFileMode? mode = null)
    {
        mode = file.Spec.Metadata?.Mode ?? mode;
        hasMode |= mode is not null;
        if (file.Spec.Backup is not { } backup)
            return await NameAsync(file, temporary, length, verified, hasMode, mode).ConfigureAwait(false);
        // The permissions of the file to be replaced can be read only before the move to the backup.
        if (!hasMode)
        {
            await job.ControlAsync(async (session, ct) =>
            {
                await SettleModeAsync(session, file, temporary, ct).ConfigureAwait(false);
                return true;
            }).ConfigureAwait(false);
        }
        await RepeatAsync(async () =>
        {
            await backup.TakeAsync(job.Abort).ConfigureAwait(false);
            return true;
        }).ConfigureAwait(false);
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
    /// Resolves a rename without a reply, of verified content: another session looks, and repeats the rename if need be. Null: still
    /// in doubt.
    /// </summary>
    /// <exception cref="TransferException">The server renames no files (<see cref="TransferException.NeedsDirectPublish"/>).</exception>
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
        catch (Exception e) when (e is TransferException { NeedsDirectPublish: false } or OperationCanceledException)
        {
            if (e is TransferException { Kept: { Count: > 0 } kept }) job.Owner.KeepFiles(file.RemotePath, kept);
            Log.StillInDoubt(job.Logger, item.Path, LogReason.Of(e));
            return null;
        }
    }

    /// <summary>
    /// Sets the time and the permissions of a published file. A refusal is logged and does not fail the file.
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
            Log.NotSet(job.Logger, path, LogReason.Of(e));
        }
    }

    /// <summary>Logs, once a job, that the server does not set a file's permissions.</summary>
    public void LogModeLost(JobFile file)
    {
        if (Interlocked.Exchange(ref _saysModeLost, 1) == 0) Log.ModeLost(job.Logger, file.RemotePath);
    }

    private async ValueTask SettleModeAsync(TransferSession session, JobFile file, string temporary, CancellationToken ct)
    {
        if (file.Spec.Metadata?.Mode is not null) return;
        var settlement = new ModeSettlement(temporary, file.Replace ? file.RemotePath : null, file.Spec.SourceMode);
        if (!await session.SettleModeAsync(settlement, ct).ConfigureAwait(false)) LogModeLost(file);
    }

    private ValueTask<VerificationMode> NameAsync(JobFile file, string temporary, long length, VerificationMode verified, bool hasMode,
        UnixFileMode? mode)
    {
        var renaming = false;
        return RepeatAsync(() => job.ControlAsync(async (session, ct) =>
        {
            var known = verified;
            if (known < VerificationMode.Size && !renaming
                && (await session.GetEntryAsync(temporary, ct).ConfigureAwait(false))?.Length is { } found)
            {
                if (found != length)
                {
                    throw new TransferException(TransferError.Integrity,
                        $"{file.RemotePath}: {length} bytes were sent, and {found} are there.")
                    { RemotePath = file.RemotePath };
                }

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
        }));
    }

    // The content is whole at the server, and is not sent again for a name that is refused for now (450). The pool repeats what counts as
    // lost (426, 451).
    private async ValueTask<T> RepeatAsync<T>(Func<ValueTask<T>> act)
    {
        for (var attempt = 1; ; attempt++)
        {
            try
            {
                return await act().ConfigureAwait(false);
            }
            catch (TransferException e)
                when (e is { IsTransient: true, Kept.Count: 0 } && !SessionPoolExtensions.IsLoss(e) && attempt < job.Pool.Retry.Attempts)
            {
                var wait = job.Pool.Retry.DelayAfter(attempt, Random.Shared.NextDouble());
                await Task.Delay(wait, job.Time, job.Abort).ConfigureAwait(false);
            }
        }
    }

    private Renaming NamingOf(JobFile file, string temporary, long length, bool isInDoubt, UnixFileMode? mode = null) =>
        new(temporary, file.RemotePath)
        {
            IsTemporary = true,
            Replace = file.Replace,
            MustSeeTarget = file.Spec.IsTargetUnseen,
            Metadata = mode is null ? file.Spec.Metadata : (file.Spec.Metadata ?? new()) with { Mode = mode },
            Length = length,
            Modified = job.Pool.LastFeatures is { SetsModified: true } ? file.Spec.Metadata?.Modified : null,
            InDoubt = isInDoubt,
            IsRepeated = true,
            Trace = isInDoubt ? job.Owner.Asides.Trace(temporary, file.RemotePath) : default,
            Asides = job.Owner.Asides,
        };
}
