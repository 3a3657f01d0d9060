using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using Transfer.Diagnostics;
using Transfer.Engine.Backups;
using Transfer.Engine.Files;
using Transfer.Engine.Jobs;
using Transfer.Engine.Recovery;
using Transfer.Engine.Sync;
using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>
/// Walks a folder level by level, creates the directories at the target, lets a rule decide which files are sent, and queues them. No
/// session is held while waiting for room in the queue, so that one session is enough for all steps.
/// </summary>
internal sealed class FolderPlanner
{
    // The most directories of a level that are created and visited together.
    private const int DirectoriesTogether = 256;

    private readonly EngineJob _job;
    private readonly ISourceTree _source;
    private readonly ITargetTree _target;
    private readonly DirectoryJobOptions _options;
    private readonly int _parallel;
    private readonly int? _sessions;
    private readonly Func<PlannedDirectory, TreeEntry, ValueTask> _send;
    private readonly FolderPlan _plan;
    private readonly FolderFilter _filter;
    private readonly IFileGate? _gate;
    private readonly IFolderRule _rule;
    private readonly TargetLeftovers _leftovers;
    private readonly TargetSight _sight;
    private readonly FolderExtras _extras;
    private readonly FolderLinks _links;
    private readonly FolderTwins _twins;
    private readonly FolderLoops _loops;
    private readonly NameMapper _names;
    private readonly bool _saves;
    private readonly Lock _making = new();
    private long _found;

    /// <param name="job">Receives the files.</param>
    /// <param name="source">The folder to read.</param>
    /// <param name="target">The folder to fill.</param>
    /// <param name="options">The options, with the treatment of existing files and of links.</param>
    /// <param name="parallel">The most directories read at once.</param>
    /// <param name="send">Takes over a file to send.</param>
    /// <param name="sessions">The number of sessions in the options, opened before the number of files is known; null: none.</param>
    /// <param name="backup">The folder for entries that would be replaced or deleted; null: none.</param>
    public FolderPlanner(
        EngineJob job, ISourceTree source, ITargetTree target, DirectoryJobOptions options, int parallel,
        Func<PlannedDirectory, TreeEntry, ValueTask> send, int? sessions = null, BackupFolder? backup = null)
    {
        var (kept, real) = (backup, target);
        if (options.DryRun) (target, send, backup) = (new DryTarget(target), ReportDryFile, null);
        // The dry run that plans a part of a companion's job is a step of a real one: leftovers go for real.
        _leftovers = new TargetLeftovers(job, options.IsPart ? real : target);
        // Deletions and moves concern the whole, which is the last phase's.
        if (options is SyncOptions { Filter.Shard: { } shard } of)
            options = of with { Delete = of.Delete && shard.IsFinal, DetectMoves = false };
        _saves = backup is not null;
        _job = job;
        _send = send;
        _source = source;
        _target = target;
        _options = options;
        _parallel = parallel;
        _sessions = sessions;
        _rule = options is SyncOptions sync
            ? new SyncRule(job, source, target, sync, parallel, SendAsync, backup)
            : new OverwriteRule(job, source, target, options, SendAsync);
        _plan = new FolderPlan(job, source, target, options, _rule, kept);
        (_filter, _names) = (_plan.Filter, _plan.Names);
        _gate = (options as SyncOptions)?.Gate;
        _sight = new TargetSight(_plan, _leftovers);
        _extras = new FolderExtras(_plan, _leftovers);
        _links = new FolderLinks(_plan, backup);
        _twins = new FolderTwins(_plan);
        _loops = new FolderLoops(_plan);
    }

    /// <summary>The folder below the source to which sources move, and which is not transferred; null: there is none.</summary>
    public string? Archive { get; init; }

    /// <summary>
    /// A folder at the target that is the job's own: created before the first file, and left as it is, whether the source has such a folder
    /// or not. Null: none.
    /// </summary>
    public TemporaryFolder? Temporary
    {
        get => _plan.Temporary;
        init => _plan.Temporary = value;
    }

    /// <summary>Plans all entries; files go into line as they are found.</summary>
    /// <exception cref="TransferException">The source cannot be read at all, or there can be no such target.</exception>
    public async Task RunAsync(CancellationToken ct)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var root = new PlannedDirectory(null, string.Empty);

        // Read before the target is created: a missing source leaves no empty folder behind.
        // The listing stands in line before sessions are opened ahead: a refused log-in is reported there, and not tried again.
        var listing = _source.ListAsync(root.Path, ct).AsTask();
        if (_sessions is { } sessions && OpensAhead) _job.Dispatcher.Expect(sessions);
        using var listed = await listing.ConfigureAwait(false);
        root.Sign = ListingSign.Of(listed.Entries);
        var making = MakeRootAsync(listed, ct);
        if (!_rule.MayFindAll) ExpectFiles(listed);
        (root.IsCreated, root.IsNewAndEmpty) = await making.ConfigureAwait(false);
        root.ExistsAtTarget = true;
        _rule.Begin(root.IsNewAndEmpty);
        var level = new List<PlannedDirectory>();
        await PlanAsync(root, listed, null, level, ct).ConfigureAwait(false);
        while (level.Count > 0)
        {
            var next = new List<PlannedDirectory>();
            await VisitAsync(level, next, stop).ConfigureAwait(false);
            // Extra directories are kept to the end.
            foreach (var directory in level.Where(directory => !directory.IsExtra)) _plan.Return(directory);
            level = next;
        }
        _options.Taker?.Complete();
        await _links.MakeAsync(ct).ConfigureAwait(false);
        await _plan.FailMissingAsync(ct).ConfigureAwait(false);
        await _rule.CompleteAsync(_found, ct).ConfigureAwait(false);
    }

    /// <summary>Runs the last steps, when all files have ended.</summary>
    public async Task FinishAsync(CancellationToken ct)
    {
        await _rule.FinishAsync(ct).ConfigureAwait(false);
        if (!_options.DryRun) await _leftovers.FinishAsync(ct).ConfigureAwait(false);
    }

    private bool OpensAhead => !_options.DryRun && _options.Taker is not { TakesMost: true };

    private void ExpectFiles(TreeListing listed)
    {
        if (!OpensAhead) return;
        _job.Dispatcher.Expect(listed.Entries.Count, LengthSum.Of(listed.Entries.Select(entry => entry.Length ?? 0)));
    }

    // Whether the server reports the creation of the folder, and whether that is true: where it matters, a look comes first.
    private async Task<(bool IsCreated, bool IsFresh)> MakeRootAsync(TreeListing listed, CancellationToken ct)
    {
        var isLacking = false;
        try
        {
            if (_rule.ListsTarget && !(isLacking = await _target.LacksRootAsync(ct).ConfigureAwait(false))) return default;
            if (_rule.MayFindAll) ExpectFiles(listed);
        }
        catch (TransferException e) when (e is not TransferConnectionException && e.Error != TransferError.Exists)
        {
            // The existence of the folder is not known.
        }
        var isCreated = await _target.CreateRootAsync(PlannedDirectory.ModeFor(_source.RootMode), ct).ConfigureAwait(false);
        return (isCreated, isCreated && (isLacking || !_rule.ListsTarget));
    }

    private async ValueTask SendAsync(PlannedDirectory directory, TreeEntry file)
    {
        _job.Ending.ThrowIfCancellationRequested();
        if (_filter.IsFinal)
        {
            _plan.FailUntransferred(directory.ItemOf(file.Name));
            return;
        }
        if (_gate is not null && !_gate.IsReady(directory.PathOf(file.Name), file.Length, file.Modified)) return;
        await _job.WhenItemsAreReadAsync(_job.Ending).ConfigureAwait(false);
        if (_options.Taker is { } taker
            && await taker.TakeAsync(directory.PathOf(file.Name), file.ExactLength, file.Modified, _job.Ending).ConfigureAwait(false))
        {
            return;
        }
        if (Temporary is not null && !_options.DryRun) await Temporary.ReadyAsync().ConfigureAwait(false);
        await _send(directory, file).ConfigureAwait(false);
    }

    private ValueTask ReportDryFile(PlannedDirectory directory, TreeEntry file)
    {
        var item = directory.ItemOf(file.Name);
        _job.Report(new ItemResult
        {
            Path = item.Path,
            MappedTo = item.MappedTo,
            Replaces = directory.Side.Existing?.ContainsKey(directory.NameThere(file.Name)) == true,
            Group = directory.GroupOf(file.Name),
            Result = new TransferResult { Bytes = file.Length ?? 0 },
        });
        return default;
    }

    // A level at a time: folders are created together, and as many are listed at the same time as the sessions can.
    private async ValueTask VisitAsync(List<PlannedDirectory> level, List<PlannedDirectory> next, CancellationTokenSource stop)
    {
        var (running, large) = (new List<Task>(), new ConcurrentQueue<PlannedDirectory>());
        try
        {
            foreach (var some in level.Chunk(DirectoriesTogether))
            {
                if (!_filter.IsSelective)
                    await CreateAsync([.. some.Where(directory => !directory.IsExtra)], stop.Token).ConfigureAwait(false);
                foreach (var directory in some)
                {
                    while (running.Count >= MostTogether) await EndSomeAsync(running).ConfigureAwait(false);
                    running.Add(
                        directory.IsExtra ? _extras.VisitAsync(directory, next, stop.Token)
                        : VisitAsync(directory, next, large, stop.Token));
                }
            }
            await Task.WhenAll(running).ConfigureAwait(false);
            foreach (var directory in large) await VisitAsync(directory, next, null, stop.Token).ConfigureAwait(false);
        }
        catch
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await Task.WhenAll(running).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    // Listings and files share the sessions: with plenty of files in line, one listing at a time is enough.
    private int MostTogether =>
        _job.Dispatcher.Queued > FileLine.Capacity / 4 ? 1
        : _source.IsShortOfRoom || _target.IsShortOfRoom ? _parallel
        : Math.Max(_parallel, Math.Max(_source.ListsTogether, _rule.PresenceSuffices ? _target.FindsTogether : _target.ListsTogether));

    private static async ValueTask EndSomeAsync(List<Task> running)
    {
        await Task.WhenAny(running).ConfigureAwait(false);
        foreach (var ended in running.Where(task => task.IsCompleted).ToList()) await ended.ConfigureAwait(false);
        running.RemoveAll(task => task.IsCompletedSuccessfully);
    }

    // A directory whose listing finds no room beside other listings goes to large, to be visited alone; null: this is that visit.
    private async Task VisitAsync(PlannedDirectory directory, List<PlannedDirectory> next, ConcurrentQueue<PlannedDirectory>? large,
        CancellationToken ct)
    {
        TreeListing? listed = null;
        await _job.WhenItemsAreReadAsync(ct).ConfigureAwait(false);
        if (directory is { ExistsAtTarget: false, HasOtherSpelling: true } && _options.Only is not null)
            directory.ExistsAtTarget = await OtherSpelling.IsThereAsync(_target, directory, ct).ConfigureAwait(false);

        // Both sides at once, where the target's listing may be needed. A local source is listed at once, and then shows the need.
        var there = directory.ExistsAtTarget && _rule.WalksTarget ? _sight.ListAsync(directory, null, ct) : null;
        try
        {
            var listing = _source.ListAsync(directory.Path, ct);
            if (!listing.IsCompleted && directory.ExistsAtTarget && _rule.ListsTarget) there ??= _sight.ListAsync(directory, null, ct);
            listed = await listing.ConfigureAwait(false);
            if (await _loops.IsLoopAsync(directory, listed.Entries, ct).ConfigureAwait(false))
            {
                listed.Dispose();
                if (there is not null) await DropAsync(there).ConfigureAwait(false);
                return;
            }
            if (large is not null && there is not null && HasNoRoom((await there.ConfigureAwait(false)).Unknown))
            {
                listed.Dispose();
                large.Enqueue(directory);
                return;
            }
        }
        catch (Exception e)
        {
            listed?.Dispose();
            if (there is not null) await DropAsync(there).ConfigureAwait(false);
            if (e is not TransferException error) throw;
            if (large is not null && HasNoRoom(error))
            {
                large.Enqueue(directory);
                return;
            }
            _loops.NoteUnread(directory);
            _plan.FailUnread(directory, directory.Error ?? error);
            return;
        }
        try
        {
            using (listed) await PlanAsync(directory, listed, there, next, ct).ConfigureAwait(false);
        }
        catch when (there is not null)
        {
            await DropAsync(there).ConfigureAwait(false);
            throw;
        }
    }

    // What else makes a listing partial is no exception.
    private static bool HasNoRoom(TransferException? error) => error is { Error: TransferError.Partial };

    // The target's listing is no longer wanted.
    private static async ValueTask DropAsync(Task<TargetEntries> there)
    {
        await ((Task)there).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (there.IsCompletedSuccessfully) (await there.ConfigureAwait(false)).Share?.Dispose();
    }

    private async ValueTask PlanAsync(
        PlannedDirectory directory, TreeListing listed, Task<TargetEntries>? there, List<PlannedDirectory> next, CancellationToken ct)
    {
        var entries = listed.Entries;
        if (directory.Listed != ListingVerdict.Partial) directory.Listed = listed.Verdict;
        directory.MayHideDots = listed.MayHideDots;
        if (listed.Gap is { } gap) _plan.NoteGap(directory, gap);

        // A directory may have a million entries, a large part of a job's memory: no second list is made unless all entries are needed.
        TreeEntry[]? all = _rule.WalksTarget || _names.Maps ? [.. entries] : null;
        LeaveOutUnfinished(directory, entries);
        if (_gate is not null) TriggerFiles.Apply(directory, entries, _gate);
        entries.RemoveAll(entry => !_plan.Admits(directory, entry));
        _plan.Meet(directory, entries);
        var others = entries.Count(entry => entry.Type != RemoteEntryType.Directory);
        Interlocked.Add(ref _found, others);
        var isWanted = others > 0 || directory.IsIncluded && !_filter.IsPart;
        if (_filter.IsSelective && isWanted) await MakeAsync(directory, ct).ConfigureAwait(false);

        // An empty directory that could not be created is reported here: no entry in it can fail.
        if (directory.Error is { } error && entries.Count == 0) _job.Fail(directory.Item, error);
        var (existing, unread, share) = await (there ?? _sight.ListAsync(directory, entries, ct)).ConfigureAwait(false);
        using var room = share;
        if (all is not null) directory.Mapped = await _names.MapAsync(directory, all, ct).ConfigureAwait(false);
        if (existing is { Count: > 0 })
            await _sight.AdoptSpellingsAsync(directory, all ?? (IEnumerable<TreeEntry>)entries, existing, ct).ConfigureAwait(false);
        var unknown = existing is null || !_rule.NeedsTarget(entries) ? null
            : await _sight.CompleteAsync(directory, entries, existing, ct).ConfigureAwait(false);
        var found = new FoundEntries(existing, directory.Error ?? unread, next, entries) { Unknown = unknown };
        var (seen, alike) = await _twins.FindAsync(directory, entries, existing, ct).ConfigureAwait(false);
        if (_rule.WalksTarget && existing is not null)
            _rule.Matched(entries.Count(entry => existing.ContainsKey(directory.NameThere(entry.Name))));
        var files = 0;
        foreach (var entry in CollectionsMarshal.AsSpan(entries))
        {
            var name = directory.NameThere(entry.Name);
            if (name != entry.Name) Log.NameMapped(_job.Logger, directory.PathOf(entry.Name), name);
            if (Refuse(entry.Name, name, seen, alike) is { } refusal) Fail(directory, entry, refusal);
            // Backups are not mixed with sent files.
            else if (_plan.IsBackup(directory, name)) _job.Skip(directory.ItemOf(entry.Name), SkipReason.Reserved);
            else if (_sight.TryWithhold(directory, entry, name, unknown)) continue;
            else if (entry.Type == RemoteEntryType.File) entries[files++] = entry;
            else if (entry.Type == RemoteEntryType.Link && _options.Links != LinkHandling.Skip) found.Links.Add(entry);
            else Sort(directory, entry, null, found);
        }
        entries.RemoveRange(files, entries.Count - files);
        if (found.Links.Count > 0) await PlanLinksAsync(directory, found, ct).ConfigureAwait(false);
        directory.Side.Existing = _saves || _options.DryRun ? existing : null;
        // Extra entries stay unseen, and no file fails for them.
        if (unread is not null && found.Files.Count == 0 && _rule.WalksTarget) _job.Fail(directory.Item, unread);
        if (found.Error is { } reason) _plan.Fail(directory, found.Files, reason);
        else if (found.Files.Count > 0) await _rule.FilesAsync(directory, found.Files, existing, ct).ConfigureAwait(false);
        directory.Side.Existing = null;
        if (_options.IsPlan && found.Files.Count == 0) _plan.ReportEmpty(directory);
        if (_rule.WalksTarget && existing is not null) await _extras.FindAsync(directory, all!, existing, next, ct).ConfigureAwait(false);
    }

    private async ValueTask PlanLinksAsync(PlannedDirectory directory, FoundEntries found, CancellationToken ct)
    {
        if (_options.Links == LinkHandling.Copy)
        {
            await _links.CopyAsync(directory, found, ct).ConfigureAwait(false);
            return;
        }
        foreach (var (entry, real) in await _links.FollowAsync(directory, found, ct).ConfigureAwait(false))
        {
            Sort(directory, entry, real,
                found);
        }
    }

    // One entry under its name; with the real path if reached through a link.
    private void Sort(PlannedDirectory directory, TreeEntry entry, string? real, FoundEntries found)
    {
        if (entry.Type == RemoteEntryType.Directory) Enter(directory, entry, real, found);
        else if (entry.Type == RemoteEntryType.File) found.Files.Add(entry);
        else _job.Skip(directory.ItemOf(entry.Name), entry.Type == RemoteEntryType.Link ? SkipReason.Link : SkipReason.Special);
    }

    // Temporary files are incomplete, or of another job that runs now. A caller that names such a file gets the file: this rule is for a
    // folder's entries.
    private void LeaveOutUnfinished(PlannedDirectory directory, List<TreeEntry> entries)
    {
        var unfinished = entries.Where(IsUnfinished).Select(entry => entry.Name).ToList();
        if (unfinished.Count == 0) return;
        Log.UnfinishedLeftOut(_job.Logger, directory.PathOf(unfinished[0]), unfinished.Count);
        entries.RemoveAll(IsUnfinished);
    }

    private static bool IsUnfinished(TreeEntry entry) => entry.Type == RemoteEntryType.File && TemporaryNames.IsTemporary(entry.Name);

    private TransferException? Refuse(string name, string there, HashSet<string>? seen, string? alike)
    {
        if ((ListedNames.Refuse(name) ?? _source.RefuseToRead(name) ?? _target.Refuse(there)) is { } reason)
            return new TransferException(TransferError.Unsupported, $"\"{there}\" cannot be written: {reason}.");
        if (seen is null || seen.Add(there)) return null;
        seen.TryGetValue(there, out var first);
        var how = string.Equals(there, first, StringComparison.OrdinalIgnoreCase) ? "in case" : "in Unicode's form";
        return new TransferException(TransferError.Exists, $"\"{name}\" differs {how} only from \"{first}\" in its folder: {alike}.");
    }

    // A name that no directory can hold stands for another, which is in the directory and not in the listing.
    private void Fail(PlannedDirectory directory, in TreeEntry entry, TransferException refusal)
    {
        if (entry.Name is not ("." or "..") && ListedNames.Refuse(entry.Name) is not null) directory.Listed = ListingVerdict.Partial;
        _plan.NoteRefused(directory, entry);
        _job.Fail(directory.ItemOf(entry.Name), refusal);
    }

    private void Enter(PlannedDirectory directory, TreeEntry entry, string? real, FoundEntries found)
    {
        var there = directory.NameThere(entry.Name);
        var child = new PlannedDirectory(directory, entry.Name, real, there)
        {
            TargetEntry = found.There(there),
            HasOtherSpelling = (_options.DryRun || _options.Only is not null) && found.HasOtherSpelling(there),
            MayExistAtTarget = found.Unknown?.ContainsKey(there) == true,
            Mode = PlannedDirectory.ModeFor(entry.Mode),
            ListedLength = entry.RawLength,
        };
        child.ExistsAtTarget = child.TargetEntry is { Type: RemoteEntryType.Directory };
        child.IsIncluded = _filter.Includes(child);
        // A temporary folder is a job's own, of a run under way or killed, and incomplete.
        if (TemporaryNames.IsTemporary(entry.Name) || child.Path == Archive)
        {
            _job.Skip(child.Item, SkipReason.Reserved);
        }
        else if (child.IsFollowed && directory.IsInside(child.RealPath))
        {
            Log.LinkLoop(_job.Logger, child.Path);
            _job.Skip(child.Item, SkipReason.LinkTarget);
        }
        else if (_plan.RefuseFollowed(child) is { } error)
        {
            _plan.FailUnread(child, error);
        }
        else
        {
            if (!_plan.TryPutDown(directory, child, found.Next))
            {
                _loops.NoteUnread(child);
                return;
            }
            if (_options is SyncOptions { Delete: true } && child is { ExistsAtTarget: true, TargetEntry: { } listed })
                (directory.Side.Directories ??= []).Add(listed);
            if (!_filter.IsSelective) _options.Folders?.Report(child.Path);
        }
    }

    private async ValueTask CreateAsync(IEnumerable<PlannedDirectory> directories, CancellationToken ct)
    {
        var wanted = directories.Where(directory => !directory.ExistsAtTarget && directory.Error is null).ToArray();
        if (wanted.Length == 0) return;
        try
        {
            var outcomes = await _target.CreateDirectoriesAsync(wanted, ct).ConfigureAwait(false);
            for (var i = 0; i < wanted.Length; i++)
            {
                (wanted[i].IsCreated, wanted[i].Error, wanted[i].ExistsAtTarget) = (outcomes[i].Created, outcomes[i].Error,
                    outcomes[i].Error is null);
                wanted[i].IsNewAndEmpty = wanted[i].IsCreated && wanted[i].WasAbsent;
                if (wanted[i].IsCreated) _options.NewFolders?.Report(wanted[i].Path);
            }
        }
        catch (TransferException e)
        {
            foreach (var directory in wanted) directory.Error = e;
        }
    }

    // With inclusions, a directory is created when an included entry is found; the creation of the parents may be under way by then.
    private Task MakeAsync(PlannedDirectory directory, CancellationToken ct)
    {
        if (directory.ExistsAtTarget) return Task.CompletedTask;
        lock (_making) return directory.Making ??= MakeOnceAsync(directory, ct);
    }

    private async Task MakeOnceAsync(PlannedDirectory directory, CancellationToken ct)
    {
        await MakeAsync(directory.Parent!, ct).ConfigureAwait(false);
        directory.Error ??= directory.Parent!.Error;
        _options.Folders?.Report(directory.Path);
        await CreateAsync([directory], ct).ConfigureAwait(false);
    }
}
