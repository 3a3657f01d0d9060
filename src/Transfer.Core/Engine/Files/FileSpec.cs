using Transfer.Contents;
using Transfer.Journal;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>
/// What a job is to do with one file: the same through all attempts. The caller's options are in it as they are, so that whoever obeys an
/// option finds it there; what is here beside them was decided, or seen, for this file alone.
/// </summary>
internal sealed record FileSpec
{
    private static readonly UploadOptions Usual = new() { Overwrite = OverwriteMode.Always };

    /// <summary>The path relative to the job's folder, for reports.</summary>
    public required string Name { get; init; }

    /// <summary>The same at the target, where names are mapped and it is another; else null.</summary>
    public string? MappedTo { get; init; }

    /// <summary>Both of them.</summary>
    public ItemPath Item => new(Name, MappedTo);

    public required WorkKind Kind { get; init; }

    public required string RemotePath { get; init; }

    /// <summary>The caller's. For what reads a server's file for others: the usual ones.</summary>
    public TransferOptions Options { get; init; } = Usual;

    /// <summary>
    /// What to do with a file that exists at the target: as the caller says, unless this file is the job's own to replace.
    /// </summary>
    public OverwriteMode Overwrite => IsOwn ? OverwriteMode.Always : Options.Overwrite;

    /// <summary>An earlier run of the job has put there what is at the target.</summary>
    public bool IsOwn { get; init; }

    public FileMetadata? Metadata { get; init; }

    /// <summary>Uploads: the permissions of the source; null: not known.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Uploads: nothing was at its path when the job looked.</summary>
    public bool IsNew { get; init; }

    /// <summary>Uploads that may not replace a file: the look at the target is the session's, beside the content.</summary>
    public bool IsTargetUnseen { get; init; }

    /// <summary>Uploads: the directory it goes into, where it is not known whether that is there.</summary>
    public string? Folder { get; init; }

    /// <summary>Uploads: where it is written before it gets its name; null: beside its target.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>Uploads: the backup of what it replaces; null: there is none.</summary>
    public FileBackup? Backup { get; init; }

    /// <summary>Uploads: the session writes it under its temporary name, and the engine gives it its own.</summary>
    public bool IsNamedLater => Options.Verify == VerificationMode.Hash || Backup is not null;

    public long Offset { get; init; }

    public long End { get; init; } = long.MaxValue;

    /// <summary>All of the file is asked for.</summary>
    public bool IsWhole => Offset == 0 && End == long.MaxValue;

    /// <summary>Downloads: the remote file's time when it was looked at; null: not known.</summary>
    public DateTimeOffset? SourceModified { get; init; }

    /// <summary>Downloads: what was written is to have the remote file's time, which was only roughly told.</summary>
    public bool WantsTime { get; init; }

    /// <summary>About what will be moved, where the content does not know it.</summary>
    public long? RoughLength { get; init; }

    /// <summary>The segment of another job's file that this is read for: it ends where that does. Null: there is none.</summary>
    public IContentRange? ReadFor { get; init; }

    /// <summary>What the job's journal is told of it; null: the job has none.</summary>
    public JournaledFile? Journaled { get; init; }

    /// <summary>Cancels this file alone.</summary>
    public CancellationToken Canceled { get; init; }

    /// <summary>The same for a segment, which is neither published nor told of by itself.</summary>
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
        SourceModified = null,
        WantsTime = false,
        RoughLength = null,
        Journaled = null,
    };
}
