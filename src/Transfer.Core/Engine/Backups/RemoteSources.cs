using Transfer.Engine.Files;
using Transfer.Sessions;

namespace Transfer.Engine.Backups;

/// <summary>
/// The sources of a job at a server. The look that proves a source unchanged and the deletion or move run on one session, with nothing
/// between them: all other proofs come before, and wait for sessions among the job's files.
/// </summary>
/// <param name="dispatcher">The dispatcher of their sessions.</param>
/// <param name="archiveOf">Returns the folder to which the files of a root move; null: they are deleted.</param>
/// <param name="precision">Returns the precision of the server's times; null: not known.</param>
/// <param name="apart">Proves that copies are in other folders.</param>
/// <param name="time">The clock.</param>
internal sealed class RemoteSources(
    Dispatcher dispatcher, Func<string, RemoteBackup?> archiveOf, Func<TimeSpan?> precision, FoldersApart apart, TimeProvider time)
    : ISourceSide
{
    // The most and the fewest files that are looked at before the first of them is deleted.
    private const int MostTogether = 256;
    private const int FewestTogether = 8;

    // The longest time for the looks of files that are deleted together: a version that comes after its look is lost.
    private static readonly TimeSpan LongestLooks = TimeSpan.FromSeconds(0.5);

    private readonly Dictionary<string, RemoteBackup?> _archives = new(StringComparer.Ordinal);

    // The folders below the roots that were looked at, and why no file in one is removed: some listings show a link as a folder, and the
    // job entered it.
    private readonly Dictionary<string, TransferException?> _folders = new(StringComparer.Ordinal);

    private int _together = 4 * FewestTogether;
    private bool _hasLooked;

    public async ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct)
    {
        await ProveFoldersAsync([.. files.SelectMany(FoldersOf).Distinct().Where(folder => !_folders.ContainsKey(folder))], files[0], ct)
            .ConfigureAwait(false);
        var errors = await Task.WhenAll(files.Select(file => apart.ProveAsync(file, ct))).ConfigureAwait(false);
        var (doubtful, toDelete) = (new List<int>(), new List<int>());
        for (var i = 0; i < errors.Length; i++)
        {
            if (FoldersOf(files[i]).Select(folder => _folders.GetValueOrDefault(folder)).FirstOrDefault(why => why is not null) is { } why)
                errors[i] = why;
            if (errors[i] is not null) doubtful.Add(i);
            else if (ArchiveOf(files[i].Root) is { } archive) errors[i] = await MoveAsync(files[i], archive, ct).ConfigureAwait(false);
            else toDelete.Add(i);
        }
        for (var start = 0; start < toDelete.Count;)
        {
            var some = toDelete.GetRange(start, Math.Min(_together, toDelete.Count - start));
            await dispatcher.ControlAsync((session, token) => DeleteUnchangedAsync(session, files, some, errors, token), retry: true, ct)
                .ConfigureAwait(false);
            start += some.Count;
        }
        foreach (var i in toDelete)
        {
            if (errors[i] is { Error: TransferError.NotFound }) doubtful.Add(i);
        }
        await ForgiveAbsentAsync(files, errors, doubtful, ct).ConfigureAwait(false);
        return errors;
    }

    // Runs again after a lost session: those that were deleted are absent then.
    private async ValueTask<bool> DeleteUnchangedAsync(
        TransferSession session, IReadOnlyList<SourceFile> files, List<int> some, TransferException?[] errors, CancellationToken ct)
    {
        var began = time.GetTimestamp();
        var looks = await session.GetEntriesAsync([.. some.Select(i => files[i].Path)], ct).ConfigureAwait(false);
        _together = time.GetElapsedTime(began) > LongestLooks
            ? Math.Max(FewestTogether, _together / 2) : Math.Min(MostTogether, _together * 2);
        var unchanged = new List<int>();
        for (var i = 0; i < looks.Count; i++)
        {
            errors[some[i]] = WhyLeft(files[some[i]], looks[i]);
            if (errors[some[i]] is null && !looks[i].IsAbsent) unchanged.Add(some[i]);
        }
        if (unchanged.Count == 0) return true;
        var results = await session.DeleteFilesAsync([.. unchanged.Select(i => files[i].Path)], ct).ConfigureAwait(false);
        for (var i = 0; i < results.Count; i++) errors[unchanged[i]] = results[i];
        return true;
    }

    private async ValueTask<TransferException?> MoveAsync(SourceFile file, RemoteBackup archive, CancellationToken ct)
    {
        TransferException? changed = null;
        try
        {
            await archive.TakeAsync(file.Relative, async (session, token) =>
            {
                var look = (await session.GetEntriesAsync([file.Path], token).ConfigureAwait(false))[0];
                changed = WhyLeft(file, look);
                return changed is null && !look.IsAbsent;
            }, ct).ConfigureAwait(false);
            return changed;
        }
        catch (TransferException e)
        {
            return e;
        }
    }

    // The code for an absent file is some servers' code for every refusal; and an absent file needs no proof.
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

    // The job's first look shows a file, too: some servers' refusals prove only then that a name is absent, as that of a mark.
    private async ValueTask ProveFoldersAsync(string[] folders, SourceFile file, CancellationToken ct)
    {
        string[] paths = _hasLooked ? folders : [.. folders, file.Path];
        if (paths.Length == 0) return;
        var looks = await dispatcher.ControlAsync((session, token) => session.GetEntriesAsync(paths, token), retry: true, ct)
            .ConfigureAwait(false);
        _hasLooked = true;
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
    private RemoteBackup? ArchiveOf(string root)
    {
        if (!_archives.TryGetValue(root, out var archive)) _archives.Add(root, archive = archiveOf(root));
        return archive;
    }

    // Null: the file is unchanged, or absent.
    private TransferException? WhyLeft(SourceFile file, EntryOutcome look) =>
        look.IsAbsent || look.Entry is { } entry && IsSame(file, entry) ? null : look.Error ?? SourceChange.Error(file);

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
