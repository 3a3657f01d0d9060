using Transfer.Contents;
using Transfer.Journal;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// The task of a job for one file: the same through all attempts. The caller's options are held unchanged, and are the one
/// place to read an option; the properties beside them were decided, or seen, for this file alone.
/// </summary>
internal sealed record FileSpec
{
    private static readonly UploadOptions Usual = new() { Overwrite = OverwriteMode.Always };

    /// <summary>The path relative to the job's folder, for reports.</summary>
    public required string Name { get; init; }

    /// <summary>The relative path at the target, where name mapping changes the path; else null.</summary>
    public string? MappedTo { get; init; }

    /// <summary>Both relative paths.</summary>
    public ItemPath Item => new(Name, MappedTo);

    public required WorkKind Kind { get; init; }

    public required string RemotePath { get; init; }

    /// <summary>The caller's options; the defaults where a server's file is read for another job.</summary>
    public TransferOptions Options { get; init; } = Usual;

    /// <summary>
    /// The treatment of a file that exists at the target: the caller's option, unless the existing file is this job's own to replace.
    /// </summary>
    public OverwriteMode Overwrite => IsOwn ? OverwriteMode.Always : Options.Overwrite;

    /// <summary>Whether an earlier run of the job wrote the file at the target.</summary>
    public bool IsOwn { get; init; }

    public FileMetadata? Metadata { get; init; }

    /// <summary>Uploads: the permissions of the source; null: not known.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Uploads: whether the target path was free when the job looked.</summary>
    public bool IsNew { get; init; }

    /// <summary>Uploads that may not replace a file: whether the session looks at the target, beside the content.</summary>
    public bool IsTargetUnseen { get; init; }

    /// <summary>Uploads: the directory of the file, where not known to exist.</summary>
    public string? Folder { get; init; }

    /// <summary>Uploads: the folder of the temporary name; null: the folder of the target.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>Uploads: the backup of the replaced file; null: none.</summary>
    public FileBackup? Backup { get; init; }

    /// <summary>Uploads: whether the session writes under the temporary name, and the engine renames the file.</summary>
    public bool IsNamedLater => Options.Verify == VerificationMode.Hash || Backup is not null;

    /// <summary>The source, where the job removes or moves sources; null: the source stays.</summary>
    public SourceFile? Source { get; init; }

    public long Offset { get; init; }

    public long End { get; init; } = long.MaxValue;

    /// <summary>Whether the options want all of the file.</summary>
    public bool IsWhole => Offset == 0 && End == long.MaxValue;

    /// <summary>Downloads: the remote file's time at the time of the look; null: not known.</summary>
    public DateTimeOffset? SourceModified { get; init; }

    /// <summary>Downloads: whether the written file is to have the remote file's time, which the listing gave only roughly.</summary>
    public bool WantsTime { get; init; }

    /// <summary>The approximate number of bytes to move, where the content does not know the length.</summary>
    public long? RoughLength { get; init; }

    /// <summary>The segment of another job's file for which this one is read, and with which reading ends; null: none.</summary>
    public IContentRange? ReadFor { get; init; }

    /// <summary>The record of the file in the job's journal; null: the job has none.</summary>
    public JournaledFile? Journaled { get; init; }

    /// <summary>Cancels this file alone.</summary>
    public CancellationToken Canceled { get; init; }

    /// <summary>Returns the same task for a segment, which is neither published nor reported alone.</summary>
    /// <param name="folder">See <see cref="Folder"/>.</param>
    /// <param name="stop">Cancels all segments of the file.</param>
    public FileSpec ForSegment(string? folder, CancellationToken stop) => this with
    {
        Folder = folder,
        Canceled = stop,
        MappedTo = null,
        IsNew = false,
        TemporaryFolder = null,
        Backup = null,
        Source = null,
        SourceModified = null,
        WantsTime = false,
        RoughLength = null,
        Journaled = null,
    };
}
