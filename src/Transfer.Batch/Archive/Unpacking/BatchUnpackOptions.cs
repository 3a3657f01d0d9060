using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Sealing;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>How archives are unpacked into a folder.</summary>
internal sealed record BatchUnpackOptions
{
    /// <summary>The job's memory for archives.</summary>
    public ByteBudget Buffers { get; init; } = JobBuffers.Unbounded.Archives;

    /// <summary>How to treat files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <summary>When files are safe.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>The job that is received; null: that of the first archive.</summary>
    public JobId? Job { get; init; }

    /// <summary>The manifest that the archives' headers must have; null: any.</summary>
    public ReadOnlyMemory<byte>? Manifest { get; init; }

    /// <summary>Whether an earlier run may have received parts of the job: files that exist and look the same count as received.</summary>
    public bool MayBeRepeated { get; init; }

    /// <summary>Whether the sender gets no reply before the job's end: a delta that does not fit has failed, and must name the base by
    /// hash.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>Whether unfinished files stay for a run that resumes the job.</summary>
    public bool KeepUnfinished { get; init; }

    /// <summary>Whether files and folders get exactly the permissions of the source. Else replaced ones keep theirs, and new ones get those
    /// of the source without the bits of the umask.</summary>
    public bool PreserveMode { get; init; }

    /// <summary>Whether files, folders and links get the times of the source.</summary>
    public bool PreserveTimes { get; init; } = true;

    /// <summary>The most bytes of an archive's payload, so that a small archive can't fill a disk.</summary>
    public long MostPayload { get; init; } = 256 << 20;

    /// <summary>The most bytes of the files that an archive's deltas make, where there are several: further ones are requested whole. A
    /// single one is bounded by the length of the base.</summary>
    public long MostRebuilt { get; init; } = 2L << 30;

    /// <summary>The most entries of an archive.</summary>
    public int MostEntries { get; init; } = 100_000;

    /// <summary>The most characters of the paths and link texts of an archive: they are in memory until the archive has been read to the
    /// end, those of refused entries several times, and a few bytes of a compressed archive can stand for thousands.</summary>
    public long MostCharacters { get; init; } = 8 << 20;

    /// <summary>The limit of files that stay open until published, because they have no name before.</summary>
    public OpenFiles Places { get; init; } = OpenFiles.OfProcess;

    /// <summary>Receives the result of every item as the item ends.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Counts received bytes and files; null: no progress is reported.</summary>
    public ProgressReporter? Progress { get; init; }

    public ILogger Logger { get; init; } = NullLogger.Instance;
}
