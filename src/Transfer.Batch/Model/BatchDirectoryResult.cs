namespace Transfer;

/// <summary>What became of a directory that could go in a batch.</summary>
public sealed record BatchDirectoryResult : JobResult
{
    internal BatchDirectoryResult(JobResult job)
        : base(job)
    {
    }

    /// <summary>How most items travelled.</summary>
    public BatchWay Way { get; init; }

    /// <summary>Why the directory did not go in a batch; null where it did, and with <see cref="BatchMode.Never"/>.</summary>
    public string? Reason { get; init; }

    /// <summary>The number of items of a batch that went on their own: large files, and those that the batch failed to move.</summary>
    public int Alone { get; init; }
}
