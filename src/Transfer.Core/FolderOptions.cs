using Transfer.Engine.Journal;

namespace Transfer;

/// <summary>What all jobs of whole folders have in common.</summary>
public abstract record FolderOptions
{
    private protected FolderOptions()
    {
    }

    /// <summary>How files appear under their names.</summary>
    public PublishMode Publish { get; init; } = PublishMode.Rename;

    /// <summary>
    /// Where files are written before they get their names; null: beside their targets. Relative to the folder that is filled, or absolute on its side. It must be on the file system of the targets, since files are renamed out of it: a
    /// file that can't be fails, and nothing of it stays. Made when it is missing. Links are made beside what they replace all the same.
    /// </summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>
    /// Where an existing file goes that would be replaced, or deleted, under its path relative to the folder that is filled; null: it is replaced or gone. Relative to that folder, or absolute on its side, and on the
    /// same file system, since files are renamed into it; made when it is missing. A name that is taken there gets <c>.~1~</c> behind it, or the next number. A file that can't be moved there stays as it is, and its item fails.
    /// Within the folder that is filled it is neither synchronised nor deleted.
    /// </summary>
    public string? BackupFolder { get; init; }

    /// <summary>How files are checked before they are published.</summary>
    public Verification Verify { get; init; } = Verification.Size;

    /// <inheritdoc cref="WriteOptions.FlushToDisk"/>
    public bool FlushToDisk { get; init; }

    /// <summary>Keeps modification times.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>
    /// Gives files exactly the permissions that they have at the source: the nine bits of POSIX, whatever the umask and whatever a replaced file had. By default a replaced file keeps its
    /// permissions, and a new one has the source's without what the receiving side's umask takes away.
    /// </summary>
    public bool PreserveMode { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public Links Links { get; init; } = Links.Skip;

    /// <summary>
    /// What becomes of names that the target can't have. The items in <see cref="Items"/> say what they are called there. It is to be the same each time that a folder is sent to a target, or a file goes there again under
    /// its other name. The texts of links are never mapped.
    /// </summary>
    public NameMapping NameMapping { get; init; }

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>
    /// Changes nothing on either side. <see cref="Items"/> and the counts of the <see cref="JobResult"/> tell what would be done, with the lengths of
    /// files as far as they are known.
    /// </summary>
    public bool DryRun { get; init; }

    /// <summary>Sessions to use; null: what <see cref="TransferClientOptions.MaxSessions"/> and the server allow.</summary>
    public int? Sessions { get; init; }

    /// <summary>Sessions that may move one large file together; null: as many as pay. Copies: between two servers, of which one must be able to read from offsets, and the other to write at them.</summary>
    public int? Segments { get; init; }

    /// <summary>
    /// A file in which the job remembers what it has done, so that it can be continued after whatever broke it off, and what it leaves then is deleted by the next run;
    /// deleted when the job has ended without a failure. Its folder is made if need be. Null: none, and what is broken off starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>When what <see cref="Journal"/> was told is there after a power cut too.</summary>
    public JournalFlush JournalFlush { get; init; }

    /// <summary>
    /// Continues the job of which <see cref="Journal"/> tells: files that are there are not sent again, and large ones go on where they were broken off,
    /// after a look at what there is of them. Where there is no such journal, the job begins.
    /// </summary>
    public bool Resume { get; init; }

    /// <summary>
    /// A file that the job locks as long as it runs, so that no second run of the same job begins meanwhile; the system takes the lock from a process that dies. Its folder is made if need be, and it is
    /// deleted when the job ends. A file beside it, with <c>.run</c> behind its name, says which process has it. Null: none.
    /// </summary>
    public string? Lock { get; init; }

    /// <summary>How long to wait for <see cref="Lock"/> while another run has it. By default such a job fails at once, with <see cref="TransferError.Exists"/>.</summary>
    public TimeSpan LockWait { get; init; }

    /// <summary>
    /// The gentle way to end the job before its time: once this fires nothing more begins. Files that are under way are finished, checked and published; the others are left out, with those that wait to be tried again, and nothing
    /// is deleted at the target. If there was anything left to do the job then ends as a cancelled one, with this token, and is gone on with by <see cref="Resume"/>; else as ever.
    /// </summary>
    public CancellationToken Finish { get; init; }

    /// <summary>
    /// Told of every item as it ends, from any thread and several at once, in no order: the job goes on meanwhile, and waits for nobody. What it throws ends the job.
    /// To read the items in a loop, see <see cref="JobItems"/>, which are made of this.
    /// </summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>What alone of the folder is meant, by name; null: all of it.</summary>
    internal Engine.Filters.ItemSelection? Only { get; init; }

    /// <summary>Told of every folder that the job makes whether there is something in it or not; null: nobody asks.</summary>
    internal IProgress<string>? Folders { get; init; }

    /// <summary>The journal of a job that this one is a part of; a dry run knows by it what the job has done. Null: it has its own, or none.</summary>
    internal LentJournal? Lent { get; init; }

    /// <summary>What becomes of a file that is there when one is to be sent.</summary>
    internal abstract Overwrite Existing { get; }

    /// <summary>The job's journal; null: it has none.</summary>
    internal JournalSettings? Journaling => DryRun ? null : JournalSettings.Of(Journal, JournalFlush, Resume);

    /// <summary>The job's lock; null: it has none.</summary>
    internal JobLockSettings? Locking => DryRun || Lent is not null ? null : JobLockSettings.Of(Lock, LockWait);
}
