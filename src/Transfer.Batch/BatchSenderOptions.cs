using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How a folder is sent. Immutable; change it with <c>with</c>.</summary>
public sealed record BatchSenderOptions
{
    /// <summary>How connections are made.</summary>
    public DialOptions Dial { get; init; } = new();

    /// <summary>Connections to use; null: as many as pay, which the round trip decides.</summary>
    public int? Sessions { get; init; }

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Content is compressed where that makes it smaller.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>
    /// Most bytes of content in an archive, 64 KiB to 64 MiB; null: 2 MiB. A larger file is cut up. Files are confirmed an archive at a time, and one whose connection is lost is sent
    /// once more: smaller ones lose less by that, larger ones are fewer.
    /// </summary>
    public long? ArchiveBytes { get; init; }

    /// <summary>Most files in an archive, 1 to 10,000; null: 1,000.</summary>
    public int? ArchiveFiles { get; init; }

    /// <summary>Of a file that the receiver has in another version only what has changed is sent, where that is less. It costs reading both.</summary>
    public bool Deltas { get; init; } = true;

    /// <summary>
    /// A file in which the job remembers what has arrived, so that it can be continued after whatever broke it off; deleted when the job has ended without a failure.
    /// Its folder is made if need be. Null: with <see cref="Resume"/> the job's own in <see cref="JournalDirectory.OfUser"/>; else none, and what is broken off starts over.
    /// </summary>
    public string? Journal { get; init; }

    /// <summary>Continues the job of which <see cref="Journal"/> tells: what has arrived is not sent again. Where there is no such journal, the job begins.</summary>
    public bool Resume { get; init; }

    /// <summary>How long the receiver may say nothing before a connection fails with <see cref="TransferError.Timeout"/>.</summary>
    public TimeSpan IdleTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// How long a connection may take from the dial until the receiver has taken the job on, before it fails with
    /// <see cref="TransferError.Timeout"/>. Zero, less or
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit.
    /// </summary>
    public TimeSpan LogInTimeout { get; init; } = TimeSpan.FromSeconds(120);

    /// <summary>Most bytes a second, over all connections together; null: as fast as it goes.</summary>
    public long? MaxBytesPerSecond { get; init; }

    /// <summary>
    /// Most bytes in memory at once, over all sessions of a job together: archives, content and what deltas take. At least 16 MiB, and 512 KiB for each of <see cref="Sessions"/>. With little, frames are shorter, and fewer files are asked for ahead.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>How often, and how soon, what failed is tried again.</summary>
    public RetryOptions Retry { get; init; } = new();

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
