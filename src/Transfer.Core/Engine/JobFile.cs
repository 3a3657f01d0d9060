using Transfer.Engine.Backups;
using Transfer.Engine.Journal;
using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>One file of a job, through all attempts at it.</summary>
internal sealed class JobFile
{
    private CancellationTokenSource? _stop;
    private CancellationToken _given;

    /// <summary>From this length on, or where it is unknown, a file is taken alone.</summary>
    internal const long LargeFile = 1 << 20;

    /// <summary>The path relative to the job's folder, for reports.</summary>
    public required string Name { get; init; }

    /// <summary>The same at the target, where names are mapped and it is another; else null.</summary>
    public string? MappedTo { get; init; }

    /// <summary>Both of them.</summary>
    public ItemPath Item => new(Name, MappedTo);

    public required WorkKind Kind { get; init; }

    public required string RemotePath { get; init; }

    public required EngineContent Content { get; init; }

    public FileMetadata? Metadata { get; init; }

    /// <summary>Uploads: the permissions of the source; null: not known.</summary>
    public UnixFileMode? SourceMode { get; init; }

    /// <summary>Uploads: nothing was at its path when the job looked.</summary>
    public bool IsNew { get; init; }

    /// <summary>Uploads: the directory it goes into, as long as it is not known whether that is there.</summary>
    public string? Folder { get; set; }

    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Always;

    public PublishMode Publish { get; set; } = PublishMode.Rename;

    /// <summary>Uploads under the file's own name: that was certain to be free before, so that what fails half is the job's own.</summary>
    public bool IsNewByItself { get; set; }

    /// <summary>Such an upload was begun before: what is there now is a part of it.</summary>
    public bool HasPart { get; set; }

    /// <summary>Uploads: where it is written before it gets its name; null: beside its target.</summary>
    public string? TemporaryFolder { get; init; }

    /// <summary>Uploads: the backup of what it replaces; null: there is none.</summary>
    public FileBackup? Backup { get; init; }

    /// <summary>Uploads: the session writes it under its temporary name, and the engine gives it its own.</summary>
    public bool IsNamedLater => Verify == VerificationMode.Hash || Backup is not null;

    public VerificationMode Verify { get; init; } = VerificationMode.Size;

    public bool FlushToDisk { get; init; }

    public long Offset { get; init; }

    public long End { get; init; } = long.MaxValue;

    /// <summary>Downloads: the remote file's time when it was looked at; null: not known.</summary>
    public DateTimeOffset? SourceModified { get; init; }

    /// <summary>Downloads: what was written is to have the remote file's time, which was only roughly told.</summary>
    public bool WantsTime { get; init; }

    /// <summary>What of a larger file this is; null: all that is asked for.</summary>
    public FileSegment? Segment { get; init; }

    /// <summary>The segment of another job's file that this is read for: it ends where that does. Null: there is none.</summary>
    public FileSegment? ReadFor { get; init; }

    /// <summary>What the session that has read it told of the remote file, where it did.</summary>
    public FileStamp? Source { get; set; }

    /// <summary>It was divided once, and the server was not up to that.</summary>
    public bool Undivided { get; set; }

    /// <summary>What the job's journal is told of it; null: the job has none.</summary>
    public JournaledFile? Journaled { get; init; }

    /// <summary>Cancels this file alone.</summary>
    public CancellationToken Canceled { get; init; }

    /// <summary>Fires when the file, or its job, is given up.</summary>
    public CancellationToken Stop => Segment is null ? _given : Canceled;

    public bool ComesAlone => ExpectedLength is not <= LargeFile;

    /// <summary>About what will be moved, where <see cref="Content"/> does not know it.</summary>
    public long? RoughLength { get; init; }

    /// <summary>What will be moved, as far as that is known: for plans and progress.</summary>
    public long? ExpectedLength => Content.Length ?? RoughLength;

    public bool Replace => Overwrite is OverwriteMode.Always or OverwriteMode.Newer || HasPart;

    /// <summary>An earlier run's beginning of it can be continued in one piece: where that ends.</summary>
    public long? ContinuesAt => Segment is null && Kind == WorkKind.Upload && Journaled?.Continuation is { } continuation ? continuation.Holes[0].Start : null;

    /// <summary>
    /// Downloads: the file had grown while it was read, and the next attempt goes on here; null: it begins at <see cref="Offset"/>.
    /// </summary>
    public long? GoesOnAt { get; set; }

    /// <summary>Downloads: the exact length that the file was seen to have grown to; null: it was not.</summary>
    public long? GrownTo { get; set; }

    /// <summary>How often a session began with it.</summary>
    public int Attempts { get; set; }

    /// <summary>How often a session gave it back untouched, or was given up because it stood still.</summary>
    public int Returns { get; set; }

    /// <summary>How long to wait before the attempt that comes next.</summary>
    public TimeSpan RetryAfter { get; set; }

    /// <summary>It is one of those that a session moves alone while others wait.</summary>
    public bool IsLong { get; set; }

    /// <summary>It has a place among the local files that may be open.</summary>
    public bool HasPlace { get; set; }

    /// <summary>It becomes a job's, which may be given up.</summary>
    public void Given(CancellationToken abort) =>
        _given = Canceled.CanBeCanceled ? (_stop = CancellationTokenSource.CreateLinkedTokenSource(Canceled, abort)).Token : abort;

    /// <summary>Nothing of it is under way any more.</summary>
    public void Ended() => _stop?.Dispose();

    /// <summary>Time stamp of the first take.</summary>
    public long? Started { get; set; }
}
