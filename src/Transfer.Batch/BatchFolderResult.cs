namespace Transfer.Batch;

/// <summary>How a folder went, and why so.</summary>
public sealed record BatchFolderResult
{
    /// <summary>What became of its items, all of them together.</summary>
    public required JobResult Job { get; init; }

    /// <summary>How most of it went.</summary>
    public BatchWay Way { get; init; }

    /// <summary>Why it did not go in a batch; null where it did, and where nobody wanted it to.</summary>
    public string? Reason { get; init; }

    /// <summary>Items of a batch that went on their own all the same: large files, and what the batch had failed to move.</summary>
    public int Alone { get; init; }
}
