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

    /// <summary>What to do with files that exist.</summary>
    public OverwriteMode Overwrite { get; init; } = OverwriteMode.Fail;

    /// <summary>When files are safe.</summary>
    public Durability Durability { get; init; } = Durability.Archive;

    /// <summary>The job that is received; null: that of the first archive.</summary>
    public JobId? Job { get; init; }

    /// <summary>What the archives' headers must have as their manifest; null: anything.</summary>
    public ReadOnlyMemory<byte>? Manifest { get; init; }

    /// <summary>An earlier run may have received parts of it: what is there and looks the same counts as received.</summary>
    public bool IsAgain { get; init; }

    /// <summary>Its sender hears nothing of it before the job's end: a delta that does not fit has failed, and must name what it builds on.</summary>
    public bool IsOneWay { get; init; }

    /// <summary>What is unfinished at the end stays for a run that goes on with the job.</summary>
    public bool KeepUnfinished { get; init; }

    /// <summary>Files and folders get exactly the permissions that they had. Else replaced ones keep theirs, and new ones get them without what the umask takes away.</summary>
    public bool PreserveMode { get; init; }

    /// <summary>Files, folders and links get the times that they had.</summary>
    public bool PreserveTimes { get; init; } = true;

    /// <summary>Most bytes of an archive's payload, so that a small archive can't fill a disk.</summary>
    public long MostPayload { get; init; } = 256 << 20;

    /// <summary>Most bytes of the files that an archive's deltas make, where it has more than one: more of them are wanted whole. One alone is bounded by what it is made of.</summary>
    public long MostRebuilt { get; init; } = 2L << 30;

    /// <summary>Most entries of an archive.</summary>
    public int MostEntries { get; init; } = 100_000;

    /// <summary>For files that are open until they get their names, because they have none before.</summary>
    public OpenFiles Places { get; init; } = OpenFiles.OfProcess;

    /// <summary>Told of every item as it ends.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Counts what arrives; null: nobody asks.</summary>
    public ProgressReporter? Progress { get; init; }

    public ILogger Logger { get; init; } = NullLogger.Instance;
}
