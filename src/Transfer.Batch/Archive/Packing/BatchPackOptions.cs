using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Format;
using Transfer.Local;

namespace Transfer.Batch.Archive.Packing;

/// <summary>How a folder is packed.</summary>
internal sealed record BatchPackOptions
{
    /// <summary>The shortest archive: shorter ones are not worth their headers, and a spool can list only so many.</summary>
    public const int LeastArchiveBytes = 64 << 10;

    /// <summary>The longest archive: more, with the headers of <see cref="MostArchiveFiles"/> files, may exceed a reader's limit
    /// (docs/internals/batch-format.md, "Reading"); and in a spool an archive is in memory.</summary>
    public const int MostArchiveBytes = 64 << 20;

    public const int MostArchiveFiles = 10_000;

    /// <summary>The most characters of the paths and link texts in an archive of several items, so that a reader can bound
    /// them.</summary>
    public const int MostArchiveCharacters = 4 << 20;

    /// <summary>The most content bytes in an archive: archives under way are lost with their connection, and a lane must not be held up by
    /// long packing. Larger files are sliced.</summary>
    public int ArchiveBytes { get; init; } = 4 << 20;

    /// <summary>The most entries in an archive.</summary>
    public int ArchiveFiles { get; init; } = 1000;

    /// <summary>The most bytes of one file's delta; a file with a longer one travels whole. The limit exceeds that of archives: packing a
    /// delta once more is cheap, and slices would be the whole file.</summary>
    public int DeltaBytes { get; init; } = 64 << 20;

    /// <summary>The job's memory.</summary>
    public JobBuffers Buffers { get; init; } = JobBuffers.Unbounded;

    /// <summary>The inquiry about the receiver's files; null: all files travel whole.</summary>
    public IBaseInquiry? Bases { get; init; }

    /// <summary>Whether frames are compressed where that pays.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>The part of the folder that is packed; null: the whole folder.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>The only items of the folder to be packed, by name; null: the whole folder.</summary>
    public IReadOnlyCollection<string>? Only { get; init; }

    /// <summary>The items of the folder that are not packed, by name; null: none.</summary>
    public IReadOnlySet<string>? Without { get; init; }

    /// <summary>The most memory for directories that are known and not read yet, in bytes.</summary>
    public long MaxListingBytes { get; init; } = new LocalTreeOptions().MaxListingBytes;

    /// <summary>Larger files are not packed, and have failed so; null: all are packed.</summary>
    public long? LargestFile { get; init; }

    /// <summary>Whether a file that changed while being packed is packed once more. Else the file has failed.</summary>
    public bool PacksChangedAgain { get; init; } = true;

    /// <summary>How entries are written; null: with all that is known of them.</summary>
    public EntryForm? Form { get; init; }

    /// <summary>How to treat symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Once cancelled, no further file or folder begins; archives end early, and files in slices are completed.</summary>
    public CancellationToken Finish { get; init; }

    /// <summary>Receives the result of every item as the item ends.</summary>
    public IProgress<ItemResult>? Items { get; init; }

    /// <summary>Waits while too many items are unread, before more is packed; null: never.</summary>
    public Func<CancellationToken, ValueTask>? Room { get; init; }

    /// <summary>
    /// Receives the folders of archives that could not be carried, and the files and topmost folders with CR or LF in their names, which
    /// are no remote paths; null: there is no other way to create them.
    /// </summary>
    public IProgress<string>? LostFolders { get; init; }

    /// <summary>Whether a failed item has failed for good, and does not go on its own afterwards.</summary>
    public bool IsOnlyWay => LostFolders is null;

    /// <summary>Counts packed and confirmed bytes and files; null: no progress is reported.</summary>
    public ProgressReporter? Progress { get; init; }

    /// <summary>The journal: files finished by an earlier run are left out, and those finished by this run are recorded; null: neither.
    /// Belongs to the caller.</summary>
    public ItemJournal? Journal { get; init; }

    /// <summary>
    /// Whether the target is examined before each run: files finished by an earlier run are then not part of the job any more, and packed
    /// files are recorded first, so that the next run recognizes them in the target as the job's own.
    /// </summary>
    public bool TargetIsExamined { get; init; }

    /// <summary>Called for every finished file, with the stamp as packed, and for links and skipped items, without a stamp. Must only
    /// record the call. Null: no calls.</summary>
    public Action<string, SourceStamp>? Finished { get; init; }

    /// <summary>Whether an earlier run may have sent parts of the job, regardless of the journal.</summary>
    public bool MayBeRepeated { get; init; }

    /// <summary>The SHA-256 of the carrier's statement about the job, sent before the archives; zeros without a statement.</summary>
    public ReadOnlyMemory<byte> Manifest { get; init; } = new byte[32];

    public ILogger Logger { get; init; } = NullLogger.Instance;

    /// <summary>Checks that archives of this size can be made and read.</summary>
    /// <exception cref="ArgumentOutOfRangeException">They are too small or too large.</exception>
    public static void Check(long? archiveBytes, int? archiveFiles, string options)
    {
        if (archiveBytes is < LeastArchiveBytes or > MostArchiveBytes)
        {
            throw new ArgumentOutOfRangeException(options, archiveBytes,
                $"An archive has {LeastArchiveBytes} to {MostArchiveBytes} bytes of content.");
        }

        if (archiveFiles is < 1 or > MostArchiveFiles)
            throw new ArgumentOutOfRangeException(options, archiveFiles, $"An archive has 1 to {MostArchiveFiles} files.");
    }

    /// <summary>Returns options with the user's archive size; null: unchanged.</summary>
    public BatchPackOptions Cut(long? archiveBytes, int? archiveFiles) =>
        this with { ArchiveBytes = (int?)archiveBytes ?? ArchiveBytes, ArchiveFiles = archiveFiles ?? ArchiveFiles };
}
