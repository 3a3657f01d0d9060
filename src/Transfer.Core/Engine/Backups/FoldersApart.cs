using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Local;

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
    private readonly Dictionary<string, Task<bool>> _selves = new(StringComparer.Ordinal);

    /// <summary>Proves the folders of a file. Null: proved; else why not, <see cref="TransferError.Denied"/>: they are one.</summary>
    public Task<TransferException?> ProveAsync(SourceFile file, CancellationToken ct)
    {
        // A copy that takes the place of an identified file is another file.
        if (file.Identity is not null) return Task.FromResult<TransferException?>(null);
        return ProveAsync(source.ParentOf(file.Path), target.ParentOf(file.Target), ct);
    }

    /// <summary>
    /// Returns why a file must not be written in place: the target is the source. Null: it is not, as far as is known. The first file with
    /// content of a pair of folders decides for them: one folder has it at both sides. Only then the proof, which writes, is made.
    /// </summary>
    public async Task<TransferException?> FindSelfAsync(SourceFile file, CancellationToken ct)
    {
        var (from, to) = (source.ParentOf(file.Path), target.ParentOf(file.Target));
        var name = NameIn(to, file.Target);
        if (file.Length == 0 || !LocalNames.Lenient.Equals(name, NameIn(from, file.Path))) return null;
        var same = await ShareAsync(_selves, from, to, () => AreOneAsync(from, to, name, file), ct).ConfigureAwait(false);
        return same ? SourceChange.Itself(file.Target) : null;
    }

    private static string NameIn(string folder, string path) => path[folder.Length..].TrimStart('/', '\\');

    private async Task<bool> AreOneAsync(string from, string to, string name, SourceFile file)
    {
        try
        {
            var look = (await target.FolderAt(to).LookAsync(string.Empty, [name], job.Abort).ConfigureAwait(false))[0];
            if (look.Entry is not { } there || there.Type is not (RemoteEntryType.File or RemoteEntryType.Link)) return false;
            // A look may show a link itself, and a time in another zone.
            if (there.Type == RemoteEntryType.File && ((there.ExactLength ?? file.Length) != (file.Length ?? there.ExactLength)
                || (there.Modified - file.Modified)?.Duration() > TimeSpan.FromDays(2)))
            {
                return false;
            }
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return false;
        }
        return await ProveAsync(from, to, job.Abort).ConfigureAwait(false) is { Error: TransferError.Denied };
    }

    private async Task<TransferException?> ProveAsync(string from, string to, CancellationToken ct)
    {
        try
        {
            return await ShareAsync(_proofs, from, to, () => FindAsync(from, to), ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            return Unproved(to, e);
        }
    }

    // The search belongs to the job, not to its first caller, whose end would be the answer for all files. A search that fails is no
    // answer: the next file begins another.
    private async Task<T> ShareAsync<T>(
        Dictionary<string, Task<T>> answers, string from, string to, Func<Task<T>> find, CancellationToken ct)
    {
        Task<T>? answer;
        lock (_gate)
        {
            var pair = from + '\0' + to;
            if (!answers.TryGetValue(pair, out answer) || answer.IsFaulted || answer.IsCanceled)
                answers[pair] = answer = Task.Run(find, CancellationToken.None);
        }
        return await answer.WaitAsync(ct).ConfigureAwait(false);
    }

    private async Task<TransferException?> FindAsync(string from, string to)
    {
        var name = job.NextTemporaryName();
        try
        {
            var looks = await TargetMark.AskAsync(job, target.FolderAt(to), name,
                () => source.FolderAt(from).LookAsync(string.Empty, [name], job.Abort), job.Abort).ConfigureAwait(false);
            if (looks[0].IsAbsent) return null;
            if (looks[0].Error is { } error) throw error;
        }
        catch (TransferException e) when (!e.IsTransient)
        {
            return Unproved(to, e);
        }
        return new TransferException(TransferError.Denied, $"{to} at the target is the source's folder {from}: no source is removed.");
    }

    private static TransferException Unproved(string to, TransferException e) => new(TransferError.Unsupported,
        $"nothing proves that {to}, the folder of the copy, is another one ({e.Message.TrimEnd('.')}).", e);
}
