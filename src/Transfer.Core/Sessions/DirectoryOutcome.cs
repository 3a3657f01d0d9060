namespace Transfer.Sessions;

/// <summary>What became of one directory that was to be created.</summary>
public readonly record struct DirectoryOutcome
{
    /// <summary>It was created now; false with no <see cref="Error"/>: it was there before.</summary>
    public bool Created { get; init; }

    /// <summary>Why there is no such directory, or null.</summary>
    public TransferException? Error { get; init; }
}
