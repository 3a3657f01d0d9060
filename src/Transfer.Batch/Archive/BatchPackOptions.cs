using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Engine;
using Transfer.Engine.Journal;

namespace Transfer.Batch.Archive;

/// <summary>How a folder is packed.</summary>
internal sealed record BatchPackOptions
{
    /// <summary>Most content bytes in an archive: what is in flight is lost with its connection, and a lane holds nothing longer than it takes to pack. Larger files are sliced.</summary>
    public int ArchiveBytes { get; init; } = 4 << 20;

    /// <summary>Most entries in an archive.</summary>
    public int ArchiveFiles { get; init; } = 1000;

    /// <summary>Frames are compressed where that pays.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public Links Links { get; init; } = Links.Copy;

    /// <summary>Told of every item as it ends.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Counts what is packed and confirmed; null: nobody asks.</summary>
    public ProgressReporter? Progress { get; init; }

    /// <summary>What an earlier run has finished is left out, and what this one finishes is written down; null: neither. It belongs to the caller.</summary>
    public JobJournal? Journal { get; init; }

    /// <summary>An earlier run may have brought parts of it, whatever the journal knows.</summary>
    public bool IsAgain { get; init; }

    /// <summary>SHA-256 of what the carrier says of the job before its archives; zeros where it says nothing.</summary>
    public ReadOnlyMemory<byte> Manifest { get; init; } = new byte[32];

    public ILogger Logger { get; init; } = NullLogger.Instance;
}
