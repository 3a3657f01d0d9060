using Transfer.Journal;

namespace Transfer;

/// <summary>The options that uploads, downloads, copies and synchronisations share. Immutable; changed with <c>with</c>.</summary>
public abstract record TransferOptions
{
    private protected TransferOptions()
    {
    }

    /// <summary>What to do with files that exist at the target.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <summary>How files appear under their names.</summary>
    public PublishMode Publish { get; init; } = PublishMode.Rename;

    /// <summary>
    /// Where files are written before they get their names; null: beside their targets. Relative to the target's directory (of a file, the directory that it is in), or absolute on the target's side. It must be on the
    /// file system of the targets, since files are renamed out of it: a file that can't be fails, and nothing of it stays. Made when it is missing; for a single file where
    /// <see cref="FileJobOptions.CreateDirectories"/> says so. Links are made beside their targets all the same.
    /// </summary>
    public string? TemporaryDirectory { get; init; }

    /// <summary>
    /// Where an existing file goes that would be replaced, or deleted, under its path relative to the target's directory (of a file, the directory that it is in); null: it is replaced or gone. Relative to that directory, or
    /// absolute on the target's side, and on the same file system, since files are renamed into it; made when it is missing. A name that is taken there gets <c>.~1~</c> behind it, or the next number. A file that
    /// can't be moved there stays as it is, and its item fails. Within the target's directory it is neither synchronised nor deleted.
    /// </summary>
    public string? BackupDirectory { get; init; }

    /// <summary>How files are checked before they are published.</summary>
    public VerificationMode Verify { get; init; } = VerificationMode.Size;

    /// <summary>
    /// Has the content on the target's disk before a file gets its name, which takes longer and outlasts a loss of power. Over SFTP the server must offer it
    /// (fsync@openssh.com); over FTP there is no such thing, and it changes nothing.
    /// </summary>
    public bool FlushToDisk { get; init; }

    /// <summary>Gives files at the target the modification times that they have at the source.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>
    /// Gives files exactly the permissions that they have at the source: the nine bits of POSIX, whatever the umask and whatever a replaced file had. By default a replaced file keeps its
    /// permissions, and a new one has the source's without what the receiving side's umask takes away.
    /// </summary>
    public bool PreserveMode { get; init; }

    /// <summary>
    /// Sessions that may move one large file together; null: as many as pay. At least 1. Over FTP an upload is divided only where a number is given, and the server is found to take it. Copies: between two servers,
    /// of which one must be able to read from offsets, and the other to write at them.
    /// </summary>
    public int? Segments { get; init; }

    /// <summary>
    /// A file in which the job remembers what it has done, so that it can be continued after whatever broke it off, and what it leaves then is deleted by the next run;
    /// deleted when the job has ended without a failure. Its directory is made if need be. Null: with <see cref="Resume"/> the job's own in <see cref="TransferClientOptions.JournalDirectory"/>; else none, and what is
    /// broken off starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>When what <see cref="Journal"/> was told is there after a power cut too.</summary>
    public JournalFlush JournalFlush { get; init; }

    /// <summary>
    /// Continues the job of which <see cref="Journal"/> tells: files that are there are not sent again, and large ones go on where they were broken off,
    /// after a look at what there is of them. Where there is no such journal, the job begins. It is the same job if operation, source, target and user are.
    /// </summary>
    public bool Resume { get; init; }

    /// <summary>
    /// A file that the job locks as long as it runs, so that no second run of the same job begins meanwhile; the system takes the lock from a process that dies. Its directory is made if need be, and it is
    /// deleted when the job ends. A file beside it, with <c>.run</c> behind its name, says which process has it. Null: none.
    /// </summary>
    public string? Lock { get; init; }

    /// <summary>How long to wait for <see cref="Lock"/> while another run has it. By default such a job fails at once, with <see cref="TransferError.Exists"/>.</summary>
    public TimeSpan LockWait { get; init; }

    /// <summary>Refuses values that no job can have, and pairs that contradict each other.</summary>
    /// <exception cref="ArgumentException">A property breaks its rule: the message names both, and the parameter name is the property's.</exception>
    internal virtual void Validate()
    {
        var rules = Rules;
        rules.Defined(Overwrite);
        rules.Defined(Publish);
        rules.Defined(Verify);
        rules.Defined(JournalFlush);
        rules.Path(TemporaryDirectory);
        rules.Path(BackupDirectory);
        rules.Path(Journal);
        rules.Path(Lock);
        rules.AtLeast(Segments, 1);
        rules.NotNegative(LockWait);
        if (Publish != PublishMode.Direct) return;
        rules.Require(TemporaryDirectory is null, nameof(TemporaryDirectory), "must be null with PublishMode.Direct: a file that is written under its own name has no temporary file");
        rules.Require(BackupDirectory is null, nameof(BackupDirectory), "must be null with PublishMode.Direct: a file that is written under its own name is replaced from its first byte on");
    }

    /// <summary>The checks, in the name of the record.</summary>
    private protected OptionRules Rules => new(GetType().Name);

    /// <summary>The job's journal; null: it has none.</summary>
    internal virtual JournalSettings? Journaling => JournalSettings.Of(Journal, JournalFlush, Resume);

    /// <summary>The job's lock; null: it has none.</summary>
    internal virtual JobLockSettings? Locking => JobLockSettings.Of(Lock, LockWait);
}
