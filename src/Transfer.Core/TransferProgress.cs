namespace Transfer;

/// <summary>Cumulative progress of one file or of a whole job, reported about ten times a second at most.</summary>
public readonly record struct TransferProgress
{
    /// <summary>Content bytes moved so far.</summary>
    public long Bytes { get; init; }

    /// <summary>Content bytes in all, once known.</summary>
    public long? TotalBytes { get; init; }

    /// <summary>Files finished so far.</summary>
    public long Files { get; init; }

    /// <summary>Files in all, once known.</summary>
    public long? TotalFiles { get; init; }

    /// <summary>Bytes a second over the last seconds.</summary>
    public double BytesPerSecond { get; init; }
}
