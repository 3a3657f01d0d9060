using Transfer.Engine.Files;
using Transfer.Engine.Jobs;

namespace Transfer.Engine.Backups;

/// <summary>
/// Proves that the folder of a copy is not the folder of its source, by whatever names: two servers, a server and this machine, or two
/// paths with a link may be one place. The proof is an empty file in the copy's folder that the source's folder does not show. Looked for
/// once a pair of folders. Thread-safe.
/// </summary>
/// <param name="job">The job.</param>
/// <param name="source">The side of the sources.</param>
/// <param name="target">The side of the copies.</param>
internal sealed class FoldersApart(EngineJob job, CopySide source, CopySide target)
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Task<TransferException?>> _proofs = new(StringComparer.Ordinal);

    /// <summary>Proves the folders of a file. Null: proved; else why not, <see cref="TransferError.Denied"/>: they are one.</summary>
    public Task<TransferException?> ProveAsync(SourceFile file, CancellationToken ct)
    {
        // A copy that takes the place of an identified file is another file.
        if (file.Identity is not null) return Task.FromResult<TransferException?>(null);
        var (from, to) = (source.ParentOf(file.Path), target.ParentOf(file.Target));
        var pair = from + '\0' + to;
        lock (_gate)
        {
            if (!_proofs.TryGetValue(pair, out var proof)) _proofs.Add(pair, proof = Task.Run(() => FindAsync(from, to, ct), ct));
            return proof;
        }
    }

    private async Task<TransferException?> FindAsync(string from, string to, CancellationToken ct)
    {
        var name = job.NextTemporaryName();
        try
        {
            var looks = await TargetMark.AskAsync(job, target.FolderAt(to), name,
                () => source.FolderAt(from).LookAsync(string.Empty, [name], ct), ct).ConfigureAwait(false);
            if (looks[0].IsAbsent) return null;
            if (looks[0].Error is { } error) throw error;
        }
        catch (TransferException e)
        {
            return new TransferException(TransferError.Unsupported,
                $"nothing proves that {to}, the folder of the copy, is another one ({e.Message.TrimEnd('.')}).", e);
        }
        return new TransferException(TransferError.Denied, $"{to} at the target is the source's folder {from}: no source is removed.");
    }
}
