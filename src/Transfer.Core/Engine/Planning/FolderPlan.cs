using Transfer.Engine.Backups;
using Transfer.Engine.Jobs;
using Transfer.Engine.Trees;
using Transfer.Replacing;
using Transfer.Sessions;

namespace Transfer.Engine.Planning;

/// <summary>
/// What the parts of a <see cref="FolderPlanner"/> work with: both sides, the rules of the job, and the bounds of the walk.
/// </summary>
internal sealed class FolderPlan
{
    private readonly WalkBounds _bounds;
    private readonly BackupFolder? _backup;

    /// <param name="job">Gets the files.</param>
    /// <param name="source">What is read.</param>
    /// <param name="target">What is filled.</param>
    /// <param name="options">What to do with files that exist, and with links.</param>
    /// <param name="rule">Decides on each file.</param>
    /// <param name="backup">A folder at the target that is left as it is; null: there is none.</param>
    public FolderPlan(EngineJob job, ISourceTree source, ITargetTree target, DirectoryJobOptions options, IFolderRule rule, BackupFolder? backup)
    {
        (Job, Source, Target, Options, Rule, _backup) = (job, source, target, options, rule, backup);
        Filter = new FolderFilter(options.Filter, options.Only);
        Names = new NameMapper(target, options.NameMapping);
        _bounds = new WalkBounds(job.Room);
    }

    public EngineJob Job { get; }

    public ISourceTree Source { get; }

    public ITargetTree Target { get; }

    public DirectoryJobOptions Options { get; }

    public IFolderRule Rule { get; }

    public FolderFilter Filter { get; }

    public NameMapper Names { get; }

    /// <summary>A folder at the target that is the job's own; null: there is none.</summary>
    public TemporaryFolder? Temporary { get; set; }

    /// <summary>
    /// An entry takes part in the job. Its own files are never sent, nor deleted: they may be another job's that runs now.
    /// </summary>
    public bool Admits(PlannedDirectory directory, in TreeEntry entry) =>
        !(Rule.WalksTarget && (TemporaryNames.IsTemporary(entry.Name) || AsideNames.OriginalOf(entry.Name) is not null)) && Filter.Admits(directory, entry);

    /// <summary>A folder at the target is the job's own.</summary>
    public bool IsOwn(string path) => Temporary?.Within is { } kept && Target.Names.Equals(kept, path) || IsBackup(path);

    /// <summary>A folder at the target has the job's backups.</summary>
    public bool IsBackup(string path) => _backup?.Within is { } within && Target.Names.Equals(within, path);

    /// <summary>Why a directory is not entered that was reached through a link; null: it may be.</summary>
    public TransferException? RefuseFollowed(PlannedDirectory child) => _bounds.RefuseFollowed(child);

    /// <summary>
    /// Puts down a directory that waits for its turn. False: there is no room for it, and its folder is not known whole.
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
        Job.Fail(child.Item, error);
        return false;
    }

    /// <summary>A directory has had its turn.</summary>
    public void Return(PlannedDirectory directory) => _bounds.Return(directory);

    /// <summary>Entries of a directory fail for one reason.</summary>
    public void Fail(PlannedDirectory directory, IEnumerable<TreeEntry> entries, TransferException error)
    {
        foreach (var entry in entries)
        {
            // What is of another kind is in the way for good: that must not keep everything else from being deleted.
            if (error.Error == TransferError.Exists) Job.Fail(directory.ItemOf(entry.Name), error);
            else Job.Lose(directory.ItemOf(entry.Name), error);
        }
    }
}
