namespace Transfer.Sessions;

/// <summary>The outcome of creating one directory.</summary>
public readonly record struct DirectoryOutcome
{
    /// <summary>Whether the directory was created now; false with no <see cref="Error"/>: it existed before.</summary>
    public bool Created { get; init; }

    /// <summary>Why the directory was not created, or null.</summary>
    public TransferException? Error { get; init; }
}
