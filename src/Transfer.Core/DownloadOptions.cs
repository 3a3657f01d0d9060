using Transfer.Engine.Journal;

namespace Transfer;

/// <summary>How one file is downloaded. <see cref="Overwrite"/>, <see cref="Publish"/>, <see cref="TemporaryFolder"/>, <see cref="FlushToDisk"/> and <see cref="PreserveModified"/> are about the local file, where there is one.</summary>
public sealed record DownloadOptions
{
    /// <summary>What to do when the local file exists.</summary>
    public Overwrite Overwrite { get; init; } = Overwrite.Fail;

    /// <summary>How the local file appears under its name.</summary>
    public PublishMode Publish { get; init; } = PublishMode.Rename;

    /// <summary>
    /// Where files are written before they get their names; null: beside their targets. Relative to the folder of the local file, or absolute. It must be on the file system of the targets, since files are renamed out of it: a
    /// file that can't be fails, and nothing of it stays. It must exist.
    /// </summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>
    /// Where an existing file goes that would be replaced, under its path relative to the folder of the local file; null: it is replaced. Relative to that folder, or absolute on its side, and on the
    /// same file system, since files are renamed into it; made when it is missing. A name that is taken there gets <c>.~1~</c> behind it, or the next number. A file that can't be moved there stays as it is, and its item fails.
    /// </summary>
    public string? BackupFolder { get; init; }

    /// <summary>How it is checked before it is published.</summary>
    public Verification Verify { get; init; } = Verification.Size;

    /// <summary>Has the content on the disk before the file gets its name, which takes longer and outlasts a loss of power.</summary>
    public bool FlushToDisk { get; init; }

    /// <summary>Gives the local file the remote modification time.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <inheritdoc cref="FolderOptions.PreserveMode"/>
    public bool PreserveMode { get; init; }

    /// <summary>Sessions that may fetch the file together, where the target is a file; null: as many as pay.</summary>
    public int? Segments { get; init; }

    /// <inheritdoc cref="FolderOptions.Journal"/>
    public string? Journal { get; init; }

    /// <inheritdoc cref="FolderOptions.JournalFlush"/>
    public JournalFlush JournalFlush { get; init; }

    /// <inheritdoc cref="UploadOptions.Resume"/>
    public bool Resume { get; init; }

    /// <inheritdoc cref="FolderOptions.Lock"/>
    public string? Lock { get; init; }

    /// <inheritdoc cref="FolderOptions.LockWait"/>
    public TimeSpan LockWait { get; init; }

    /// <summary>The job's journal; null: it has none.</summary>
    internal JournalSettings? Journaling => JournalSettings.Of(Journal, JournalFlush, Resume);

    /// <summary>The job's lock; null: it has none.</summary>
    internal JobLockSettings? Locking => JobLockSettings.Of(Lock, LockWait);
}
