using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Backups;

/// <summary>The sources of a job at a server.</summary>
/// <param name="dispatcher">The dispatcher of their sessions.</param>
/// <param name="archiveOf">Returns the folder to which the files of a root move; null: they are deleted.</param>
/// <param name="precision">Returns the precision of the server's times; null: not known.</param>
/// <param name="apart">Proves that copies are in other folders.</param>
internal sealed class RemoteSources(
    Dispatcher dispatcher, Func<string, BackupFolder?> archiveOf, Func<TimeSpan?> precision, FoldersApart apart) : ISourceSide
{
    private readonly Dictionary<string, BackupFolder?> _archives = new(StringComparer.Ordinal);

    // The folders below the roots that were looked at, and why no file in one is removed: some listings show a link as a folder, and the
    // job entered it.
    private readonly Dictionary<string, TransferException?> _folders = new(StringComparer.Ordinal);

    public async ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct)
    {
        var errors = new TransferException?[files.Count];
        string[] folders = [.. files.SelectMany(FoldersOf).Distinct().Where(folder => !_folders.ContainsKey(folder))];
        string[] paths = [.. files.Select(file => file.Path), .. folders];
        var found = await dispatcher.ControlAsync((session, token) => session.GetEntriesAsync(paths, token), retry: true, ct)
            .ConfigureAwait(false);
        await ProveAsync(folders, [.. found.Skip(files.Count)], ct).ConfigureAwait(false);
        var same = await Task.WhenAll(files.Select(file => apart.ProveAsync(file, ct))).ConfigureAwait(false);
        var unchanged = new List<int>();
        for (var i = 0; i < errors.Length; i++)
        {
            if (found[i].IsAbsent) continue;
            if (FoldersOf(files[i]).Select(folder => _folders.GetValueOrDefault(folder)).FirstOrDefault(why => why is not null) is { } why)
                errors[i] = why;
            else if (same[i] is { } notProved) errors[i] = notProved;
            else if (found[i].Entry is { } entry && IsSame(files[i], entry)) unchanged.Add(i);
            else errors[i] = found[i].Error ?? SourceChange.Error(files[i]);
        }

        var doubtful = new List<int>();
        foreach (var ofRoot in unchanged.GroupBy(i => files[i].Root))
        {
            List<int> some = [.. ofRoot];
            var results = ArchiveOf(ofRoot.Key) is { } archive
                ? await archive.TakeAsync([.. some.Select(i => files[i].Relative)], ct).ConfigureAwait(false)
                : await dispatcher.DeleteFilesAsync([.. some.Select(i => files[i].Path)], ct).ConfigureAwait(false);
            for (var i = 0; i < some.Count; i++)
            {
                errors[some[i]] = results[i];
                if (results[i] is { Error: TransferError.NotFound }) doubtful.Add(some[i]);
            }
        }
        await ForgiveAbsentAsync(files, errors, doubtful, ct).ConfigureAwait(false);
        return errors;
    }

    // The code for an absent file is some servers' code for every refusal.
    private async ValueTask ForgiveAbsentAsync(IReadOnlyList<SourceFile> files, TransferException?[] errors, List<int> doubtful,
        CancellationToken ct)
    {
        if (doubtful.Count == 0) return;
        string[] paths = [.. doubtful.Select(i => files[i].Path)];
        var found = await dispatcher.ControlAsync((session, token) => session.GetEntriesAsync(paths, token), retry: true, ct)
            .ConfigureAwait(false);
        for (var i = 0; i < paths.Length; i++) if (found[i].IsAbsent) errors[doubtful[i]] = null;
    }

    // From the root down to the file, without the root.
    private static IEnumerable<string> FoldersOf(SourceFile file)
    {
        for (var i = file.Relative.IndexOf('/', StringComparison.Ordinal); i > 0; i = file.Relative.IndexOf('/', i + 1))
            yield return file.Root + file.Relative[..i];
    }

    private async ValueTask ProveAsync(string[] folders, EntryOutcome[] looks, CancellationToken ct)
    {
        List<RemoteEntry> shown = [];
        for (var i = 0; i < folders.Length; i++)
        {
            if (looks[i].Entry is { Type: RemoteEntryType.Directory } directory) shown.Add(directory);
            else _folders[folders[i]] = looks[i].Error ?? DoubtfulDirectory.NotSource(folders[i], DirectoryProof.Link);
        }
        if (shown.Count == 0) return;
        var proofs = await dispatcher.ControlAsync((session, token) => session.ProveDirectoriesAsync(shown, token), retry: true, ct)
            .ConfigureAwait(false);
        for (var i = 0; i < shown.Count; i++)
        {
            _folders[shown[i].Path] = proofs[i] == DirectoryProof.Child ? null : DoubtfulDirectory.NotSource(shown[i].Path, proofs[i]);
        }
    }

    // One for a root: it remembers which folders it has made.
    private BackupFolder? ArchiveOf(string root)
    {
        if (!_archives.TryGetValue(root, out var archive)) _archives.Add(root, archive = archiveOf(root));
        return archive;
    }

    // Times of LIST, in minutes or days of an unknown zone, prove nothing beside the times of a look: there lengths count alone.
    private bool IsSame(SourceFile file, RemoteEntry now)
    {
        if (now.Type != RemoteEntryType.File) return false;
        if (file.Length is { } length && now.Length is { } lengthNow && length != lengthNow) return false;
        var step = precision() ?? TimeSpan.FromMinutes(1);
        return ListedTime.IsCoarse(step) || file.Modified is not { } before || now.Modified is not { } after
            || (before - after).Duration() < step;
    }
}
