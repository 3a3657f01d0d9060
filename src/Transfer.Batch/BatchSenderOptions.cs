using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How a folder is sent. Immutable; <c>with</c> makes a changed copy.</summary>
public sealed record BatchSenderOptions
{
    /// <summary>How connections are made.</summary>
    public DialOptions Dial { get; init; } = new();

    /// <summary>Connections to use; null: as many as pay, which the round trip decides.</summary>
    public int? Sessions { get; init; }

    /// <summary>The part of the folder that is sent; null: the whole folder.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>How to treat symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Whether content is compressed where compression makes it smaller.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>
    /// The most bytes of content in an archive, 64 KiB to 64 MiB; null: 2 MiB. A larger file is cut up. Files are confirmed an archive at a
    /// time, and an archive whose connection is lost is sent once more: smaller ones lose less by that, larger ones are fewer.
    /// </summary>
    public long? ArchiveBytes { get; init; }

    /// <summary>The most files in an archive, 1 to 10,000; null: 1,000.</summary>
    public int? ArchiveFiles { get; init; }

    /// <summary>Whether only the differences are sent, where they are shorter, when the receiver has another version of a file. Both
    /// versions are read for that.</summary>
    public bool Deltas { get; init; } = true;

    /// <summary>
    /// A file that records which files have arrived, so that an interrupted job can be resumed; deleted when the job ends without a
    /// failure. The file's folder is created if missing.
    /// Null: with <see cref="Resume"/> the job's own in <see cref="JournalDirectory.OfUser"/>; else none, and an interrupted job starts
    /// over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>Whether to resume the job recorded in <see cref="Journal"/>: files that have arrived are not sent again. Without such a
    /// journal, the job begins.</summary>
    public bool Resume { get; init; }

    /// <summary>How long the receiver may stay silent before a connection fails with <see cref="TransferError.Timeout"/>.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long a connection may take from the dial until the receiver has accepted the job, before the connection fails with
    /// <see cref="TransferError.Timeout"/>. Zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: no limit.
    /// </summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>The most bytes a second, over all connections together; null: no limit.</summary>
    public long? MaxBytesPerSecond { get; init; }

    /// <summary>A limit that changes in the course of a week, instead of <see cref="MaxBytesPerSecond"/>; null: none.</summary>
    public RateSchedule? RateSchedule { get; init; }

    /// <summary>
    /// The most bytes in memory at once, over all sessions of a job together: archives, content and deltas. At least 16 MiB, and 512 KiB
    /// for each of <see cref="Sessions"/>. With little memory, frames are shorter, and fewer block hashes are requested ahead.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How often, and how soon, failed attempts are repeated.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
