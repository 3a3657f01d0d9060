namespace Transfer.Sessions;

/// <summary>The outcome of creating one directory.</summary>
public readonly record struct DirectoryOutcome
{
    /// <summary>Whether the directory was created now; false with no <see cref="Error"/>: it existed before.</summary>
    public bool Created { get; init; }

    /// <summary>Why there is no such directory, or null.</summary>
    public TransferException? Error { get; init; }
}
