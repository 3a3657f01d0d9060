using Transfer.Engine.Files;
using Transfer.Local;

namespace Transfer.Engine.Backups;

/// <summary>The sources of a job on this machine.</summary>
/// <param name="moveTo">The folder to which they move, as the options name it; null: they are deleted.</param>
internal sealed class LocalSources(string? moveTo) : ISourceSide
{
    public async ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct)
    {
        var errors = new TransferException?[files.Count];
        for (var i = 0; i < errors.Length; i++)
        {
            ct.ThrowIfCancellationRequested();
            try
            {
                await DisposeAsync(files[i], ct).ConfigureAwait(false);
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
        if (BackupFolder.Local(moveTo, file.Root) is not { } archive) DiskFiles.Delete(file.Path);
        else await archive.TakeAsync(file.Relative, ct).ConfigureAwait(false);
    }
}
