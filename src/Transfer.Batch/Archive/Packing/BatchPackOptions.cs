using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>How a folder is packed.</summary>
internal sealed record BatchPackOptions
{
    /// <summary>Less is not worth what stands in front of an archive's files, and a spool can list only so many.</summary>
    public const int LeastArchiveBytes = 64 << 10;

    /// <summary>More, with the headers of <see cref="MostArchiveFiles"/> files, may be more than a reader takes (docs/internals/batch-format.md, "Reading"); and in a spool it is in memory.</summary>
    public const int MostArchiveBytes = 64 << 20;

    public const int MostArchiveFiles = 10_000;

    /// <summary>Most content bytes in an archive: what is in flight is lost with its connection, and a lane holds nothing longer than it takes to pack. Larger files are sliced.</summary>
    public int ArchiveBytes { get; init; } = 4 << 20;

    /// <summary>Most entries in an archive.</summary>
    public int ArchiveFiles { get; init; } = 1000;

    /// <summary>Most bytes of one file's delta; a file that takes more travels whole. It may be longer than an archive otherwise: packing it once more is cheap, and slices would be all of the file.</summary>
    public int DeltaBytes { get; init; } = 64 << 20;

    /// <summary>The job's memory.</summary>
    public JobBuffers Buffers { get; init; } = JobBuffers.Unbounded;

    /// <summary>Knows what the receiver has; null: everything travels whole.</summary>
    public IBaseInquiry? Bases { get; init; }

    /// <summary>Frames are compressed where that pays.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>What alone of the folder is meant, by name; null: all of it.</summary>
    public IReadOnlyCollection<string>? Only { get; init; }

    /// <summary>The most memory for directories that are known and not read yet, in bytes.</summary>
    public long MaxListingBytes { get; init; } = new LocalTreeOptions().MaxListingBytes;

    /// <summary>Larger files are not packed, and have failed so; null: all are packed.</summary>
    public long? LargestFile { get; init; }

    /// <summary>A file that changed while it was packed is packed once more. Else it has failed so.</summary>
    public bool PacksChangedAgain { get; init; } = true;

    /// <summary>How entries are written; null: with all that is known of them.</summary>
    public EntryForm? Form { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Once it fires no file is begun any more, and no folder; archives end with what they have, and of files in slices the missing ones follow.</summary>
    public CancellationToken Finish { get; init; }

    /// <summary>Told of every item as it ends.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Waits while too many items are unread, before more is packed; null: never.</summary>
    public Func<CancellationToken, ValueTask>? Room { get; init; }

    /// <summary>Told of folders that were in an archive which could not be carried; null: nobody makes them in another way.</summary>
    public IProgress<string>? LostFolders { get; init; }

    /// <summary>Counts what is packed and confirmed; null: nobody asks.</summary>
    public ProgressReporter? Progress { get; init; }

    /// <summary>What an earlier run has finished is left out, and what this one finishes is written down; null: neither. It belongs to the caller.</summary>
    public ItemJournal? Journal { get; init; }

    /// <summary>
    /// Somebody looks at the target before each run: what an earlier one has finished is not meant any more, and of what is packed a note is made first, so that the next look
    /// knows it for the job's own.
    /// </summary>
    public bool IsLookedAt { get; init; }

    /// <summary>Told of every file that is done, and as it was packed; of links and of what is left out, with no stamp. It only takes a note of it. Null: nobody wants to know.</summary>
    public Action<string, SourceStamp>? Finished { get; init; }

    /// <summary>An earlier run may have brought parts of it, whatever the journal knows.</summary>
    public bool IsAgain { get; init; }

    /// <summary>SHA-256 of what the carrier says of the job before its archives; zeros where it says nothing.</summary>
    public ReadOnlyMemory<byte> Manifest { get; init; } = new byte[32];

    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Refuses archives that nobody could make or read.</summary>
    /// <exception cref="ArgumentOutOfRangeException">They are too small or too large.</exception>
    public static void Check(long? archiveBytes, int? archiveFiles, string options)
    {
        if (archiveBytes is < LeastArchiveBytes or > MostArchiveBytes)
            throw new ArgumentOutOfRangeException(options, archiveBytes, $"An archive has {LeastArchiveBytes} to {MostArchiveBytes} bytes of content.");
        if (archiveFiles is < 1 or > MostArchiveFiles) throw new ArgumentOutOfRangeException(options, archiveFiles, $"An archive has 1 to {MostArchiveFiles} files.");
    }

    /// <summary>Cut as the user wants it; null: as it is.</summary>
    public BatchPackOptions Cut(long? archiveBytes, int? archiveFiles) =>
        this with { ArchiveBytes = (int?)archiveBytes ?? ArchiveBytes, ArchiveFiles = archiveFiles ?? ArchiveFiles };
}
