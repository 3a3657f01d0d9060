namespace Transfer;

/// <summary>One entry of two folders that were compared.</summary>
public sealed record ComparedItem
{
    /// <summary>The entry's path relative to the folders, with forward slashes.</summary>
    public required string Path { get; init; }

    /// <summary>The kind of entry.</summary>
    public RemoteEntryType Type { get; init; } = RemoteEntryType.File;

    /// <summary>The outcome of the comparison.</summary>
    public required ComparisonOutcome Outcome { get; init; }

    /// <summary>The reason why the entry could not be compared; null: the entry was compared.</summary>
    public TransferException? Error { get; init; }
}
