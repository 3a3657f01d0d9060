using Transfer.Engine.Files;
using Transfer.Local;

namespace Transfer.Engine.Backups;

/// <summary>The sources of a job on this machine.</summary>
/// <param name="moveTo">The folder to which they move, as the options name it; null: they are deleted.</param>
/// <param name="apart">Proves that copies are in other folders, where the system does not identify files.</param>
internal sealed class LocalSources(string? moveTo, FoldersApart apart) : ISourceSide
{
    public async ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct)
    {
        var errors = await Task.WhenAll(files.Select(file => apart.ProveAsync(file, ct))).ConfigureAwait(false);
        for (var i = 0; i < errors.Length; i++)
        {
            ct.ThrowIfCancellationRequested();
            try
            {
                if (errors[i] is null) await DisposeAsync(files[i], ct).ConfigureAwait(false);
            }
            catch (Exception e) when (e is TransferException || LocalErrors.IsLocal(e))
            {
                errors[i] = e as TransferException ?? LocalErrors.Map(e, "Cannot remove the source", files[i].Path);
            }
        }

        return errors;
    }

    private async ValueTask DisposeAsync(SourceFile file, CancellationToken ct)
    {
        if (FileStatus.Find(file.Path, follow: false) is not { } now) return;
        if (now.Type != RemoteEntryType.File || now.Length != file.Length || now.ModifiedTicks != file.Modified?.UtcTicks)
            throw SourceChange.Error(file);
        if (file.Identity is { } identity && !identity.Is(now)) throw SourceChange.Replaced(file);
        if (BackupFolder.Local(moveTo, file.Root, nameof(TransferOptions.MoveSourceTo)) is not { } archive) DiskFiles.Delete(file.Path);
        else await archive.TakeAsync(file.Relative, ct).ConfigureAwait(false);
    }
}
