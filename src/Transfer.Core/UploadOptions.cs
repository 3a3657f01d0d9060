using Transfer.Engine.Journal;

namespace Transfer;

/// <summary>How one file is uploaded.</summary>
public sealed record UploadOptions : WriteOptions
{
    /// <summary>Where <see cref="WriteOptions.Modified"/> is null and the source is a file: gives the target the source's modification time.</summary>
    public bool PreserveModified { get; init; } = true;

    /// <summary>
    /// Where <see cref="WriteOptions.Mode"/> is null and the source is a file: gives the target exactly the source's permissions, as <see cref="FolderOptions.PreserveMode"/> does.
    /// </summary>
    public bool PreserveMode { get; init; }

    /// <summary>Sessions that may move the file together, where the source is a file and the server can write at offsets; null: as many as pay. Over FTP an upload is divided only where a number is given, and the server is found to take it. In a copy the source must be another server's, which can read from offsets.</summary>
    public int? Segments { get; init; }

    /// <inheritdoc cref="FolderOptions.Journal"/>
    public string? Journal { get; init; }

    /// <inheritdoc cref="FolderOptions.JournalFlush"/>
    public JournalFlush JournalFlush { get; init; }

    /// <summary>
    /// Continues the job of which <see cref="Journal"/> tells: a large file goes on where it was broken off, after a look at what there is of it. Where there is no such journal, the job begins.
    /// </summary>
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
