namespace Transfer;

/// <summary>The result of a directory job that could use a batch.</summary>
public sealed record BatchDirectoryResult : JobResult
{
    internal BatchDirectoryResult(JobResult job)
        : base(job)
    {
    }

    /// <summary>How most items travelled.</summary>
    public BatchWay Way { get; init; }

    /// <summary>Why the directory did not go in a batch; null if the directory did, and with <see cref="BatchMode.Never"/>.</summary>
    public string? Reason { get; init; }

    /// <summary>The number of items of a batch that went on their own: large files, and those that the batch failed to move.</summary>
    public int Alone { get; init; }
}
