namespace Transfer;

/// <summary>How one item of a folder job ended.</summary>
public sealed record ItemResult
{
    /// <summary>The item's path relative to the folder that was asked for, with forward slashes.</summary>
    public required string Path { get; init; }

    /// <summary>Its path at the target, in the same form, where names are mapped (<see cref="DirectoryJobOptions.NameMapping"/>) and it is another there; else null.</summary>
    public string? MappedTo { get; init; }

    /// <summary>What was done with it, or tried.</summary>
    public ItemAction Action { get; init; }

    /// <summary>Where a file was at the target before it was moved, in the same form; else null.</summary>
    public string? MovedFrom { get; init; }

    /// <summary>What it is.</summary>
    public RemoteEntryType Type { get; init; } = RemoteEntryType.File;

    /// <summary>How the transfer went; null when it failed.</summary>
    public TransferResult? Result { get; init; }

    /// <summary>Why it failed; null when it did not.</summary>
    public TransferException? Error { get; init; }
}
