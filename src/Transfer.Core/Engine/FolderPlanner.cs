namespace Transfer.Engine;

/// <summary>
/// Walks a folder level by level, makes its directories at the target, decides which files are sent and queues them. It never
/// holds a session while it waits for room in the queue, so that one session is enough for everything.
/// </summary>
internal sealed class FolderPlanner
{
    private const int DirectoriesTogether = 256;

    private readonly TransferJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly Overwrite _overwrite;
    private readonly int _parallel;
    private readonly int? _sessions;
    private readonly Func<PlannedDirectory, TreeEntry, JobFile> _makeFile;

    /// <param name="job">Gets the files.</param>
    /// <param name="source">What is read.</param>
    /// <param name="target">What is filled.</param>
    /// <param name="overwrite">What to do with files that exist.</param>
    /// <param name="parallel">Most directories read at once.</param>
    /// <param name="makeFile">Makes a file of the job.</param>
    /// <param name="sessions">Sessions that were asked for, to be opened before it is known how many files there are; null: none were.</param>
    public FolderPlanner(
        TransferJob job, ISourceTree source, ITargetTree target, Overwrite overwrite, int parallel,
        Func<PlannedDirectory, TreeEntry, JobFile> makeFile, int? sessions = null)
    {
        _job = job;
        _source = source;
        _target = target;
        _overwrite = overwrite;
        _parallel = parallel;
        _sessions = sessions;
        _makeFile = makeFile;
    }

    public async Task RunAsync(CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var root = new PlannedDirectory(null, string.Empty);

        // Read before anything is made: a source that is not there leaves no empty folder behind.
        // Who needs a session stands in line before the others are opened: it hears when the log-in is refused, and does not try again.
        var listing = _source.ListAsync(root, ct).AsTask();
        if (_sessions is { } sessions) _job.Dispatcher.Expect(sessions);
        var entries = await listing.ConfigureAwait(false);
        var making = _target.CreateRootAsync(ct).AsTask();
        _job.Dispatcher.Expect(entries.Count);
        root.Fresh = await making.ConfigureAwait(false);
        var level = new List<PlannedDirectory>();
        await PlanAsync(root, entries, level, ct).ConfigureAwait(false);
        while (level.Count > 0)
        {
            var next = new List<PlannedDirectory>();
            foreach (var some in level.Chunk(DirectoriesTogether))
            {
                await CreateAsync(some, ct).ConfigureAwait(false);
                await VisitAsync(some, next, stop).ConfigureAwait(false);
            }
            level = next;
        }
    }

    private async ValueTask CreateAsync(PlannedDirectory[] directories, CancellationToken ct)
    {
        var wanted = directories.Where(directory => directory.Error is null).ToArray();
        if (wanted.Length == 0) return;
        try
        {
            var outcomes = await _target.CreateDirectoriesAsync(wanted, ct).ConfigureAwait(false);
            for (var i = 0; i < wanted.Length; i++) (wanted[i].Fresh, wanted[i].Error) = (outcomes[i].Created, outcomes[i].Error);
        }
        catch (TransferException e)
        {
            foreach (var directory in wanted) directory.Error = e;
        }
    }

    private async ValueTask VisitAsync(PlannedDirectory[] directories, List<PlannedDirectory> next, CancellationTokenSource stop)
    {
        var running = new List<Task>();
        try
        {
            foreach (var directory in directories)
            {
                // Listings and files share the sessions: with plenty of files in line, one listing at a time is enough.
                while (running.Count >= (_job.Dispatcher.Queued > Dispatcher.Capacity / 4 ? 1 : _parallel))
                {
                    var ended = await Task.WhenAny(running).ConfigureAwait(false);
                    running.Remove(ended);
                    await ended.ConfigureAwait(false);
                }
                running.Add(VisitAsync(directory, next, stop.Token));
            }
            await Task.WhenAll(running).ConfigureAwait(false);
        }
        catch
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(running).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    private async Task VisitAsync(PlannedDirectory directory, List<PlannedDirectory> next, CancellationToken ct)
    {
        IReadOnlyList<TreeEntry> entries;
        try
        {
            entries = await _source.ListAsync(directory, ct).ConfigureAwait(false);
        }
        catch (TransferException e)
        {
            _job.Fail(directory.Path, directory.Error ?? e);
            return;
        }

        // An empty directory that could not be made would leave no trace: nothing in it can fail.
        if (directory.Error is { } error && entries.Count == 0) _job.Fail(directory.Path, error);
        await PlanAsync(directory, entries, next, ct).ConfigureAwait(false);
    }

    private async ValueTask PlanAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, List<PlannedDirectory> next, CancellationToken ct)
    {
        var (existing, unknown) = await ExistingAsync(directory, entries, ct).ConfigureAwait(false);
        var seen = _target.Names.Equals("a", "A") ? new HashSet<string>(_target.Names) : null;
        foreach (var entry in entries)
        {
            ct.ThrowIfCancellationRequested();
            var path = directory.PathOf(entry.Name);
            if (Refuse(entry.Name, seen) is { } refusal)
            {
                _job.Fail(path, refusal);
            }
            else if (entry.Type == RemoteEntryType.Directory)
            {
                var child = new PlannedDirectory(directory, entry.Name);
                lock (next) next.Add(child);
            }
            else if (entry.Type != RemoteEntryType.File)
            {
                _job.Skip(path);
            }
            else if ((directory.Error ?? unknown) is { } error)
            {
                _job.Fail(path, error);
            }
            else if (Decide(path, entry, existing))
            {
                await _job.AddAsync(_makeFile(directory, entry)).ConfigureAwait(false);
            }
        }
    }

    // What is at the target already; or why that cannot be known: then nothing may be written over it.
    private async ValueTask<(Dictionary<string, TreeEntry>? Existing, TransferException? Unknown)> ExistingAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct)
    {
        if (_overwrite == Overwrite.Always || directory.Fresh || directory.Error is not null) return default;
        if (!entries.Any(entry => entry.Type == RemoteEntryType.File)) return default;
        try
        {
            var listed = await _target.ListAsync(directory, ct).ConfigureAwait(false);
            var existing = new Dictionary<string, TreeEntry>(listed.Count, _target.Names);
            foreach (var entry in listed) existing[entry.Name] = entry;
            return (existing, null);
        }
        catch (TransferException e)
        {
            return (null, e);
        }
    }

    private TransferException? Refuse(string name, HashSet<string>? seen)
    {
        if ((ListedNames.Refuse(name) ?? RefuseLineEnd(name) ?? _target.Refuse(name)) is { } reason)
            return new TransferException(TransferError.Unsupported, $"\"{name}\" cannot be written: {reason}.");
        return seen is null || seen.Add(name)
            ? null
            : new TransferException(
                TransferError.Exists, $"\"{name}\" differs in case only from another name in its folder: the target does not tell them apart.");
    }

    // One of the two sides is a server: see RemotePath.ThrowIfInvalid.
    private static string? RefuseLineEnd(string name) =>
        name.AsSpan().ContainsAny('\r', '\n') ? "a remote name may not contain CR or LF" : null;

    private bool Decide(string path, TreeEntry entry, Dictionary<string, TreeEntry>? existing)
    {
        try
        {
            TreeEntry? there = existing is not null && existing.TryGetValue(entry.Name, out var found) ? found : null;
            var precision = TimeSpan.FromTicks(Math.Max(_source.TimePrecision.Ticks, _target.TimePrecision.Ticks));
            if (OverwritePolicy.Decide(_overwrite, path, entry.Modified, there, precision)) return true;
            _job.Skip(path);
            return false;
        }
        catch (TransferException e)
        {
            _job.Fail(path, e);
            return false;
        }
    }
}
