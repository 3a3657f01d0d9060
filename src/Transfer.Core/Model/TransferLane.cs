namespace Transfer;

/// <summary>The work of one session; see <see cref="TransferJob.Sessions"/>.</summary>
public readonly record struct TransferLane
{
    /// <summary>The number of the session, from 1, at each client. A session that pauses between files may come back with another
    /// number.</summary>
    public int Number { get; init; }

    /// <summary>Whether the session reads from the source of a copy between servers; else the session is one of the target.</summary>
    public bool IsSource { get; init; }

    /// <summary>The remote file of the content moved last; of archives between two machines, <c>archive</c> and the number.</summary>
    public string Path { get; init; }

    /// <summary>The bytes of the file that this session has moved, in this attempt: of a file in segments, only the session's
    /// own.</summary>
    public long Bytes { get; init; }

    /// <summary>The bytes of the file that this session is to move; null: not known.</summary>
    public long? TotalBytes { get; init; }

    /// <summary>The number of files, or archives, of the job under way: a session may move many at once.</summary>
    public int Files { get; init; }

    /// <summary>Content bytes of all files that this session has moved under this number, of other jobs too.</summary>
    public long Moved { get; init; }
}
