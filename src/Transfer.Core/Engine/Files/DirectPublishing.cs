using System.Collections.Concurrent;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// Uploads into folders in which no file can be renamed: files are sent under their own names where those are certain to be free.
/// </summary>
/// <param name="job">The job.</param>
internal sealed class DirectPublishing(JobContext job)
{
    // Folders in which renames fail, for certain.
    private readonly ConcurrentDictionary<string, TransferException> _withoutRename = new(StringComparer.Ordinal);
    private int _saysWithoutRename;

    /// <summary>
    /// Returns why a file can't be renamed, by the rule of the folder, before content is sent in vain; null when no reason is known.
    /// </summary>
    public TransferException? FindRenameRefusal(JobFile file) =>
        file is { Kind: WorkKind.Upload, Publish: PublishMode.Rename, Segment: null } && !_withoutRename.IsEmpty
        ? _withoutRename.GetValueOrDefault(RemotePath.GetParent(file.RemotePath) ?? "/")
        : null;

    /// <summary>Records that no file can be renamed in the folder of this file.</summary>
    public void MarkWithoutRename(JobFile file, TransferException error) =>
        _withoutRename.TryAdd(RemotePath.GetParent(file.RemotePath) ?? "/", error);

    /// <summary>Lets the next attempt write the file under the final name. Returns null then, else why the file can't be sent so.</summary>
    public async ValueTask<TransferException?> TrySwitchAsync(JobFile file, TransferException error)
    {
        if (await FindNameDoubtAsync(file).ConfigureAwait(false) is { } why) return NeedsDirect(file, error, why);
        if (Interlocked.Exchange(ref _saysWithoutRename, 1) == 0) Log.RenamesNothing(job.Logger, file.RemotePath);
        else Log.PublishedDirectly(job.Logger, file.RemotePath);
        file.Publish = PublishMode.Direct;
        file.Attempts.Count = Math.Max(0, file.Attempts.Count - 1);
        return null;
    }

    /// <summary>
    /// Handles a part of a file under its final name: deletes the part where the name was free before; where the name was taken, or the
    /// part can't be deleted, the error names the part.
    /// </summary>
    public async ValueTask<TransferException> WithPartAsync(JobFile file, TransferException error)
    {
        var why = file.WasNameFree
            ? await FindDeletionRefusalAsync(file.RemotePath).ConfigureAwait(false) : "it may be deleted, or sent again";
        return why is null
            ? error : error.WithMessage($"{error.Message} {file.RemotePath} may hold a part of the content now: {why}.", file.RemotePath);
    }

    private async ValueTask<string?> FindNameDoubtAsync(JobFile file)
    {
        if (!file.Content.CanReplay) return "its content cannot be read a second time";
        try
        {
            var there = await job.ControlAsync((session, ct) => session.GetEntryAsync(file.RemotePath, ct)).ConfigureAwait(false);
            return there is null ? null : "a file of that name exists, and stays";
        }
        catch (TransferException e)
        {
            return $"its name cannot be looked at, and may be taken ({e.Message})";
        }
    }

    private async ValueTask<string?> FindDeletionRefusalAsync(string path)
    {
        try
        {
            return (await job.DeleteFilesAsync([path], CancellationToken.None).ConfigureAwait(
                false))[0] is { Error: not TransferError.NotFound } refusal ? refusal.Message : null;
        }
        catch (TransferException e)
        {
            return e.Message;
        }
    }

    private static TransferException NeedsDirect(JobFile file, TransferException error, string why) =>
        new(error.Error,
            $"{error.Message} {why}: only --publish direct (PublishMode.Direct), which writes under the file's own name, can send it.",
            error)
        {
            RemotePath = file.RemotePath,
            ServerCode = error.ServerCode,
            NeedsDirectPublish = true,
            Kept = error.Kept,
        };
}
