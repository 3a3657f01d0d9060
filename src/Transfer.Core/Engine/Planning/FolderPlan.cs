using System.Runtime.InteropServices;
using Transfer.Engine.Backups;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Names;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>
/// The means that the parts of a <see cref="FolderPlanner"/> share: both sides, the rules of the job, and the bounds of the walk.
/// </summary>
internal sealed class FolderPlan
{
    private readonly WalkBounds _bounds;
    private readonly BackupFolder? _backup;
    private readonly PlannedSteps? _steps;

    /// <param name="job">Receives the files.</param>
    /// <param name="source">The folder to read.</param>
    /// <param name="target">The folder to fill.</param>
    /// <param name="options">The options, with the treatment of existing files and of links.</param>
    /// <param name="rule">Decides on each file.</param>
    /// <param name="backup">A folder at the target that stays as it is; null: none.</param>
    public FolderPlan(EngineJob job, ISourceTree source, ITargetTree target, DirectoryJobOptions options, IFolderRule rule,
        BackupFolder? backup)
    {
        (Job, Source, Target, Options, Rule, _backup) = (job, source, target, options, rule, backup);
        Filter = new FolderFilter(options.Filter, options.Links, options.Only, options.Without,
            compares: options is SyncOptions);
        Names = new NameMapper(target, options.NameMapping);
        _bounds = new WalkBounds(job.Room);
        _steps = (options as SyncOptions)?.Steps;
    }

    public EngineJob Job { get; }

    public ISourceTree Source { get; }

    public ITargetTree Target { get; }

    public DirectoryJobOptions Options { get; }

    public IFolderRule Rule { get; }

    public FolderFilter Filter { get; }

    public NameMapper Names { get; }

    /// <summary>A folder at the target that is the job's own; null: none.</summary>
    public TemporaryFolder? Temporary { get; set; }

    /// <summary>
    /// Returns whether an entry takes part in the job. Temporary files and asides are neither sent nor deleted: they may be another job's
    /// that runs now.
    /// </summary>
    public bool Admits(PlannedDirectory directory, in TreeEntry entry) =>
        !(Rule.WalksTarget && (TemporaryNames.IsTemporary(entry.Name) || AsideNames.OriginalOf(entry.Name) is not null))
            && Filter.Admits(directory, entry);

    /// <summary>Whether the target has folders of the job's own: only then paths are made of entries to compare.</summary>
    public bool HasOwn => Temporary?.Within is not null || _backup?.Within is not null;

    /// <summary>
    /// Returns whether an entry at the target is a folder of the job's own, or a link that leads to one.
    /// </summary>
    public bool IsOwn(string path) => Is(Temporary?.Within, path) || IsBackup(path);

    /// <summary>
    /// Returns whether an entry at the target that is no folder is on the way to a folder of the job's own: a link that leads there.
    /// </summary>
    public bool LeadsToOwn(string path) => Leads(path, Temporary?.Within) || Leads(path, _backup?.Within);

    /// <summary>Returns whether an entry at the target is the folder of the job's backups, or a link that leads there.</summary>
    public bool IsBackup(string path) => Is(_backup?.Within, path);

    /// <inheritdoc cref="IsBackup(string)"/>
    /// <param name="directory">The directory of the entry.</param>
    /// <param name="there">The entry's name at the target.</param>
    public bool IsBackup(PlannedDirectory directory, string there) =>
        _backup?.Within is not null && IsBackup(directory.PathThere(there));

    /// <summary>Returns why a directory reached through a link is not entered; null when it may be.</summary>
    public TransferException? RefuseFollowed(PlannedDirectory child) => _bounds.RefuseFollowed(child);

    /// <summary>Returns why a directory that has the listing of one above is not entered; null when it may be.</summary>
    public TransferException? RefuseRepeated(PlannedDirectory directory, bool isProved) =>
        _bounds.RefuseRepeated(directory.Path, isProved);

    /// <summary>
    /// Puts a directory down for a later visit. False: there is no room, and the listing of the parent counts as partial.
    /// </summary>
    public bool TryPutDown(PlannedDirectory parent, PlannedDirectory child, List<PlannedDirectory> next)
    {
        var error = _bounds.Take(parent, child);
        if (error is null)
        {
            lock (next) next.Add(child);
            return true;
        }
        parent.Listed = ListingVerdict.Partial;
        parent.Keep();
        FailUnread(child, error);
        return false;
    }

    private bool Is(string? own, string path) => own is not null && Target.Names.Equals(own, path);

    private bool Leads(string path, string? own)
    {
        for (var at = own; at is { Length: > 0 }; at = at[..Math.Max(0, at.LastIndexOf('/'))])
        {
            if (Target.Names.Equals(at, path)) return true;
        }
        return false;
    }

    /// <summary>Returns the room of a directory that has been visited.</summary>
    public void Return(PlannedDirectory directory) => _bounds.Return(directory);

    /// <summary>
    /// Reports, in a plan, a new directory without a file of its own, which no part makes, except for one below. One of several that are
    /// one at the target is reported though that has it: the first of them is the one that is kept.
    /// </summary>
    public void ReportEmpty(PlannedDirectory directory)
    {
        if (!directory.IsCreated && !directory.IsMerged || directory.Parent is null) return;
        var item = directory.Item;
        Job.Report(new ItemResult
        {
            Path = item.Path,
            MappedTo = item.MappedTo,
            Type = RemoteEntryType.Directory,
            Group = directory.Group,
            Result = new TransferResult(),
        });
    }

    /// <summary>Fails a file or link that a part of the job should have transferred before the last phase.</summary>
    public void FailUntransferred(ItemPath item) =>
        Job.ReportLost(item, new TransferException(TransferError.Partial,
            $"{item.TargetPath} is not as at the source: no part of the job has transferred the entry, and the last phase transfers none."));

    /// <summary>Closes the steps of a plan, if one is applied, whose entries the source has.</summary>
    public void Meet(PlannedDirectory directory, List<TreeEntry> entries)
    {
        if (_steps is null) return;
        foreach (var entry in CollectionsMarshal.AsSpan(entries))
        {
            // A link that is skipped is not what was planned.
            if (entry.Type != RemoteEntryType.Link || Options.Links != LinkHandling.Skip)
                _steps.Meet(directory.PathOf(entry.Name), entry.Type);
        }
    }

    /// <summary>Closes the steps of a plan, if one is applied, below an entry that fails.</summary>
    public void NoteRefused(PlannedDirectory directory, in TreeEntry entry) => _steps?.NoteRefused(directory.PathOf(entry.Name));

    /// <summary>Fails a directory of the source that cannot be read.</summary>
    public void FailUnread(PlannedDirectory directory, TransferException error)
    {
        _steps?.NoteUnread(directory.Path, error);
        Job.Fail(directory.Item, error);
    }

    /// <summary>Reports a listing of the source that lacks entries.</summary>
    public void NoteGap(PlannedDirectory directory, TransferException gap)
    {
        // In the rest of a job, the walk before has reported the gap.
        if (Options.Only is null || _steps is not null) FailUnread(directory, gap);
    }

    /// <summary>Fails the steps of a plan, if one is applied, whose entries the source does not have any more.</summary>
    public async ValueTask FailMissingAsync(CancellationToken ct)
    {
        if (_steps is null) return;
        foreach (var (path, error) in _steps.Missing())
        {
            await Job.WhenItemsAreReadAsync(ct).ConfigureAwait(false);
            Job.ReportLost(new ItemPath(path), error);
        }
    }

    /// <summary>Fails entries of a directory for one reason.</summary>
    public void Fail(PlannedDirectory directory, IEnumerable<TreeEntry> entries, TransferException error)
    {
        foreach (var entry in entries)
        {
            // An entry of another kind is in the way for good: that must not keep all extra entries from being deleted.
            if (error.Error == TransferError.Exists) Job.Fail(directory.ItemOf(entry.Name), error);
            else Job.ReportLost(directory.ItemOf(entry.Name), error);
        }
    }
}
