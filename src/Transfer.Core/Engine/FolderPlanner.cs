namespace Transfer.Engine;

/// <summary>
/// Walks a folder level by level, makes its directories at the target, decides which files are sent and queues them. It never
/// holds a session while it waits for room in the queue, so that one session is enough for everything.
/// </summary>
internal sealed partial class FolderPlanner
{
    private const int DirectoriesTogether = 256;

    private readonly TransferJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly DirectoryOptions _options;
    private readonly int _parallel;
    private readonly int? _sessions;
    private readonly Func<PlannedDirectory, TreeEntry, ValueTask> _send;

    /// <param name="job">Gets the files.</param>
    /// <param name="source">What is read.</param>
    /// <param name="target">What is filled.</param>
    /// <param name="options">What to do with files that exist, and with links.</param>
    /// <param name="parallel">Most directories read at once.</param>
    /// <param name="send">Takes over a file that is to be moved.</param>
    /// <param name="sessions">Sessions that were asked for, to be opened before it is known how many files there are; null: none were.</param>
    public FolderPlanner(
        TransferJob job, ISourceTree source, ITargetTree target, DirectoryOptions options, int parallel,
        Func<PlannedDirectory, TreeEntry, ValueTask> send, int? sessions = null)
    {
        _job = job;
        _source = source;
        _target = target;
        _options = options;
        _parallel = parallel;
        _sessions = sessions;
        _send = send;
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
        await MakeLinksAsync(ct).ConfigureAwait(false);
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
        var links = new List<TreeEntry>();
        foreach (var entry in entries)
        {
            ct.ThrowIfCancellationRequested();
            if (Refuse(entry.Name, seen) is { } refusal) _job.Fail(directory.PathOf(entry.Name), refusal);
            else if (entry.Type == RemoteEntryType.Link && _options.Links != Links.Skip) links.Add(entry);
            else await PlanAsync(directory, entry, null, existing, unknown, next).ConfigureAwait(false);
        }
        if (links.Count == 0) return;
        if (_options.Links == Links.Copy) await CopyLinksAsync(directory, links, existing, unknown, ct).ConfigureAwait(false);
        else await FollowLinksAsync(directory, links, existing, unknown, next, ct).ConfigureAwait(false);
    }

    // One entry under its name; with the path of what it really is when that was found through a link.
    private async ValueTask PlanAsync(
        PlannedDirectory directory, TreeEntry entry, string? real, Dictionary<string, TreeEntry>? existing, TransferException? unknown,
        List<PlannedDirectory> next)
    {
        var path = directory.PathOf(entry.Name);
        if (entry.Type == RemoteEntryType.Directory) Enter(new PlannedDirectory(directory, entry.Name, real), next);
        else if (entry.Type != RemoteEntryType.File) _job.Skip(path);
        else if ((directory.Error ?? unknown) is { } error) _job.Fail(path, error);
        else if (Decide(path, entry, existing)) await _send(directory, entry).ConfigureAwait(false);
    }

    // What is at the target already; or why that cannot be known: then nothing may be written over it.
    private async ValueTask<(Dictionary<string, TreeEntry>? Existing, TransferException? Unknown)> ExistingAsync(
        PlannedDirectory directory, IReadOnlyList<TreeEntry> entries, CancellationToken ct)
    {
        if (_options.Overwrite == Overwrite.Always || directory.Fresh || directory.Error is not null) return default;
        if (!entries.Any(entry => entry.Type == RemoteEntryType.File || entry.Type == RemoteEntryType.Link && _options.Links != Links.Skip)) return default;
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
            if (OverwritePolicy.Decide(_options.Overwrite, path, entry.Modified, there, precision)) return true;
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
