using Microsoft.Extensions.Logging;
using Transfer.Batch.Archive.Format;

namespace Transfer.Batch;

/// <summary>How folders are sent through a spool. Immutable; <c>with</c> makes a changed copy.</summary>
public sealed record SpoolSenderOptions
{
    /// <summary>
    /// A folder of this user in which the sender keeps the number of the last job and the jobs under way, so that the next run can delete
    /// or resume an interrupted job; created if missing. Only jobs sent with the same folder arrive in their order.
    /// </summary>
    public required string StateFolder { get; init; }

    /// <summary>Whether to resume an interrupted job of the same folder: archives in the store are not sent again. Else that job is deleted
    /// from the store, and the job begins.</summary>
    public bool Resume { get; init; }

    /// <summary>The time after sending, by the store's clock, when a job may be deleted without the confirmation of all recipients. Null:
    /// never.</summary>
    public TimeSpan? Deadline { get; init; } = TimeSpan.FromDays(7);

    /// <summary>Archives that are packed and stored at once.</summary>
    public int Sessions { get; init; } = 8;

    /// <summary>
    /// The most bytes in memory at once, over all sessions of a job together: archives, content and deltas. At least 16 MiB, and 512 KiB
    /// for each of <see cref="Sessions"/>. Archives beyond that wait in files in <see cref="StateFolder"/>. The client's own buffers do not
    /// count.
    /// </summary>
    public long MaxBufferBytes { get; init; } = JobBuffers.Usual;

    /// <summary>The part of the folder that is sent; null: the whole folder.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>How to treat symbolic links.</summary>
    public LinkHandling Links { get; init; }

    /// <summary>Whether content is compressed where compression makes it smaller.</summary>
    public bool Compress { get; init; } = true;

    /// <summary>
    /// The most bytes of content in an archive, 64 KiB to 64 MiB; null: 4 MiB. A larger file is cut up. Each archive is a file in the
    /// store, and in memory while packed and stored. A job has a million archives at most.
    /// </summary>
    public long? ArchiveBytes { get; init; }

    /// <summary>The most files in an archive, 1 to 10,000; null: 1,000.</summary>
    public int? ArchiveFiles { get; init; }

    /// <summary>
    /// Whether only the differences are sent, where they are shorter, when all recipients have confirmed another version of a file. For
    /// recipients who keep fetched files in place, each in a folder of his own: the sender can't check, and if a recipient has moved a file
    /// away, the next change of the file fails there, and only the job after that brings the whole file. The sender records in
    /// <see cref="StateFolder"/> the files that recipients have, and reads sent files once more for that. False: files are sent
    /// whole, and the records about these recipients are deleted.
    /// </summary>
    public bool Deltas { get; init; }

    /// <summary>Where log messages go. They never contain secrets.</summary>
    public ILoggerFactory? LoggerFactory { get; init; }

    /// <summary>The clock.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
