using Transfer.Journal;

namespace Transfer;

/// <summary>The options common to uploads, downloads, copies and synchronisations. Immutable; change them using <c>with</c>.</summary>
public abstract record TransferOptions
{
    private protected TransferOptions()
    {
    }

    /// <summary>The handling of files that exist at the target.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <summary>The way in which files appear under their names.</summary>
    public PublishMode Publish { get; init; } = PublishMode.Rename;

    /// <summary>
    /// The directory for files until they get their names; null: beside their targets. Relative to the target's directory (for a file, the
    /// directory that holds the file), or absolute on the target's side. Must be on the file system of the targets, since files are renamed
    /// from there: a file that can't be renamed fails, and leaves nothing. Created when missing; for a single file only with
    /// <see cref="FileJobOptions.CreateDirectories"/>. Links are made beside their targets all the same.
    /// </summary>
    public string? TemporaryDirectory { get; init; }

    /// <summary>
    /// The directory for existing files that would be replaced or deleted, under their paths relative to the target's directory (for a
    /// file, the directory that holds the file); null: no backups. Relative to that directory, or absolute on the target's side, and on the
    /// same file system, since files are renamed into there; created when missing. A name that is taken there gets <c>.~1~</c> behind, or
    /// the next number. A file that can't be moved there stays unchanged, and its item fails. Within the target's directory, backups are
    /// neither synchronised nor deleted.
    /// </summary>
    public string? BackupDirectory { get; init; }

    /// <summary>
    /// Whether each source is removed when its file has arrived and was checked, and the source is unchanged since it was read. Only files
    /// that this job has sent are removed, and no folders or links; a synchronisation removes the sources of files that the target has
    /// already too, when they are proved to be copies. A source that can't be removed stays, and its item fails.
    /// </summary>
    public bool RemoveSource { get; init; }

    /// <summary>
    /// The directory to which each source moves instead, under the path relative to the source's directory (for a file, the directory that
    /// holds the file); null: sources stay. Relative to that directory, or absolute on the source's side, and on the same file system;
    /// created when missing. A name that is taken there gets <c>.~1~</c> behind, or the next number.
    /// </summary>
    public string? MoveSourceTo { get; init; }

    /// <summary>Whether sources do not stay.</summary>
    internal bool DisposesSource => RemoveSource || MoveSourceTo is not null;

    /// <summary>Whether the source counts beyond its content: it does not stay, or must not be written in place of itself.</summary>
    internal bool NeedsSource => DisposesSource || Publish == PublishMode.Direct;

    /// <summary>The check of files before they are published.</summary>
    public VerificationMode Verify { get; init; } = VerificationMode.Size;

    /// <summary>
    /// Whether the content is flushed to the target's disk before a file gets its name, which takes longer and survives a loss of power.
    /// Over SFTP the server must offer fsync@openssh.com; over FTP without effect.
    /// </summary>
    public bool FlushToDisk { get; init; }

    /// <summary>Whether files at the target get the source's modification times.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>
    /// Whether files get exactly the source's permissions: the nine bits of POSIX, regardless of the umask and of a replaced file. By
    /// default a replaced file keeps its permissions, and a new one has the source's minus the receiving side's umask.
    /// </summary>
    public bool PreserveMode { get; init; }

    /// <summary>
    /// The number of sessions that may move one large file together, at least 1; null: as many as are worthwhile. Over FTP an upload is
    /// divided only if a number is given and a test shows that the server allows that. Copies: between two servers, of which one must be
    /// able to read from offsets, and the other to write at them.
    /// </summary>
    public int? Segments { get; init; }

    /// <summary>
    /// A file in which the job records its finished items, so that the job can be resumed after any interruption and the next run deletes
    /// the leftovers; deleted when the job ends without a failure. Its directory is created if missing. Null: with <see cref="Resume"/> a
    /// default file in <see cref="TransferClientOptions.JournalDirectory"/>; else none, and an interrupted job starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>The moment from which entries of <see cref="Journal"/> survive a power cut.</summary>
    public JournalFlush JournalFlush { get; init; }

    /// <summary>
    /// Whether to resume the job of <see cref="Journal"/>: complete files are not sent again, and large ones go on where they were
    /// interrupted, after a check of the part that exists. Without such a journal, the job begins. The same job means the same operation,
    /// source, target and user.
    /// </summary>
    public bool Resume { get; init; }

    /// <summary>
    /// A file that the job locks while running, so that no second run of the same job begins; the system releases the lock of a process
    /// that dies. The directory is created if missing, and the file deleted when the job ends. A second file, with <c>.run</c> behind the
    /// name, names the process that holds the lock. Null: none.
    /// </summary>
    public string? Lock { get; init; }

    /// <summary>
    /// The longest wait for a <see cref="Lock"/> that another run holds. By default such a job fails at once, with
    /// <see cref="TransferError.Exists"/>.
    /// </summary>
    public TimeSpan LockWait { get; init; }

    /// <summary>Refuses values that no job can have, and pairs that contradict each other.</summary>
    /// <exception cref="ArgumentException">
    /// A property breaks its rule: the message names both; the parameter name is the property's.
    /// </exception>
    internal virtual void Validate()
    {
        var rules = Rules;
        rules.Defined(Overwrite);
        rules.Defined(Publish);
        rules.Defined(Verify);
        rules.Defined(JournalFlush);
        rules.Path(TemporaryDirectory);
        rules.Elsewhere(BackupDirectory);
        rules.Elsewhere(MoveSourceTo);
        rules.Require(!RemoveSource || MoveSourceTo is null, nameof(RemoveSource), "must not be set with MoveSourceTo");
        rules.Path(Journal);
        rules.Path(Lock);
        rules.AtLeast(Segments, 1);
        rules.NotNegative(LockWait);
        if (Publish != PublishMode.Direct) return;
        rules.Require(TemporaryDirectory is null, nameof(TemporaryDirectory),
            "must be null with PublishMode.Direct: a file that is written under its own name has no temporary file");
        rules.Require(BackupDirectory is null, nameof(BackupDirectory),
            "must be null with PublishMode.Direct: a file that is written under its own name is replaced from its first byte on");
    }

    /// <summary>The checks, with the name of the record.</summary>
    private protected OptionRules Rules => new(GetType().Name);

    /// <summary>The settings of the job's journal; null: none.</summary>
    internal virtual JournalSettings? Journaling => JournalSettings.Of(Journal, JournalFlush, Resume);

    /// <summary>The settings of the job's lock; null: none.</summary>
    internal virtual JobLockSettings? Locking => JobLockSettings.Of(Lock, LockWait);
}
