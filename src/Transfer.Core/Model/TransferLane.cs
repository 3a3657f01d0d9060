namespace Transfer;

/// <summary>What one session is moving; see <see cref="TransferJob.Sessions"/>.</summary>
public readonly record struct TransferLane
{
    /// <summary>Counts from 1, at each client. A session that pauses between files may come back with another number.</summary>
    public int Number { get; init; }

    /// <summary>The session reads from the source of a copy between servers; the others are sessions of the target.</summary>
    public bool IsSource { get; init; }

    /// <summary>The remote file that content was moved of last.</summary>
    public string Path { get; init; }

    /// <summary>Bytes of it that this session has moved, in this attempt: of a file that several sessions move, its own.</summary>
    public long Bytes { get; init; }

    /// <summary>The bytes that this session is to move of it; null: not known.</summary>
    public long? TotalBytes { get; init; }

    /// <summary>Files of the job under way: sessions may move many at once.</summary>
    public int Files { get; init; }

    /// <summary>Content bytes of all files that this session has moved since it has its number, of other jobs too.</summary>
    public long Moved { get; init; }
}
