using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How folders are sent through a spool. Immutable; change it with <c>with</c>.</summary>
public sealed record SpoolSenderOptions
{
    /// <summary>
    /// A folder of this user's in which the sender remembers the number of its last job, and what it has under way, so that a job that was broken off is taken back or
    /// continued by the next run; made if need be. Only jobs that are sent with the same one arrive in their order.
    /// </summary>
    public required string StateFolder { get; init; }

    /// <summary>Continues the job of the same folder that was broken off, where there is one: what has been stored is not sent again. Else it is taken back, and the job begins.</summary>
    public bool Resume { get; init; }

    /// <summary>How long after it was sent a job may be deleted although recipients have not confirmed it, by the store's clock. Null: it stays until all have.</summary>
    public TimeSpan? Deadline { get; init; } = TimeSpan.FromDays(7);

    /// <summary>Archives that are packed and stored at once.</summary>
    public int Sessions { get; init; } = 8;

    /// <summary>
    /// Most bytes in memory at once, over all sessions of a job together: archives, content and what deltas take. At least 16 MiB, and 512 KiB for each of <see cref="Sessions"/>. Archives that find no room wait in files in <see cref="StateFolder"/>. What the client has for itself is not in it.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>What of the folder is meant; null: all of it.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>What to do with symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Content is compressed where that makes it smaller.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>
    /// Most bytes of content in an archive, 64 KiB to 64 MiB; null: 4 MiB. A larger file is cut up. Each is a file in the store, and in memory while it is packed and stored. A job has a million
    /// archives at most.
    /// </summary>
    public long? ArchiveBytes { get; init; }

    /// <summary>Most files in an archive, 1 to 10,000; null: 1,000.</summary>
    public int? ArchiveFiles { get; init; }

    /// <summary>
    /// Of a file that all recipients have confirmed in another version only what has changed is sent, where that is less. It is for recipients who leave what they have fetched where
    /// it is, each in a folder of his own: nobody can ask them, and for whoever has moved a file away its next change fails, and it comes whole only with the job after that. The sender
    /// remembers in <see cref="StateFolder"/> what they have, which costs reading what is sent once more. Without it files are sent whole, and what was remembered of these recipients is
    /// forgotten.
    /// </summary>
    public bool Deltas { get; init; }

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
