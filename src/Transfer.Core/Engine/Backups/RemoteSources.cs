using Transfer.Engine.Files;

namespace Transfer.Engine.Backups;

/// <summary>The sources of a job at a server.</summary>
/// <param name="dispatcher">The dispatcher of their sessions.</param>
/// <param name="archiveOf">Returns the folder to which the files of a root move; null: they are deleted.</param>
/// <param name="precision">Returns the precision of the server's times; null: not known.</param>
internal sealed class RemoteSources(Dispatcher dispatcher, Func<string, BackupFolder?> archiveOf, Func<TimeSpan?> precision) : ISourceSide
{
    private readonly Dictionary<string, BackupFolder?> _archives = new(StringComparer.Ordinal);

    public async ValueTask<IReadOnlyList<TransferException?>> DisposeAsync(IReadOnlyList<SourceFile> files, CancellationToken ct)
    {
        var errors = new TransferException?[files.Count];
        string[] paths = [.. files.Select(file => file.Path)];
        var found = await dispatcher.ControlAsync((session, token) => session.GetEntriesAsync(paths, token), retry: true, ct)
            .ConfigureAwait(false);
        var unchanged = new List<int>();
        for (var i = 0; i < errors.Length; i++)
        {
            if (found[i].IsAbsent) continue;
            if (found[i].Entry is { } entry && IsSame(files[i], entry)) unchanged.Add(i);
            else errors[i] = found[i].Error ?? SourceChange.Error(files[i]);
        }

        foreach (var ofRoot in unchanged.GroupBy(i => files[i].Root))
        {
            List<int> some = [.. ofRoot];
            var results = ArchiveOf(ofRoot.Key) is { } archive
                ? await archive.TakeAsync([.. some.Select(i => files[i].Relative)], ct).ConfigureAwait(false)
                : await dispatcher.DeleteFilesAsync([.. some.Select(i => files[i].Path)], ct).ConfigureAwait(false);
            for (var i = 0; i < some.Count; i++)
                if (results[i] is { Error: not TransferError.NotFound } error) errors[some[i]] = error;
        }

        return errors;
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
