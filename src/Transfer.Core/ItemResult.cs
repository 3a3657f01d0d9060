namespace Transfer;

/// <summary>How one item of a folder job ended.</summary>
public sealed record ItemResult
{
    /// <summary>The item's path relative to the folder that was asked for, with forward slashes.</summary>
    public required string Path { get; init; }

    /// <summary>How the transfer went; null when it failed.</summary>
    public TransferResult? Result { get; init; }

    /// <summary>Why it failed; null when it did not.</summary>
    public TransferException? Error { get; init; }
}
