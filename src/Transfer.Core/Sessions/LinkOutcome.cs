namespace Transfer.Sessions;

/// <summary>The outcome of following or reading a link.</summary>
public readonly record struct LinkOutcome
{
    /// <summary>
    /// The entry at the link's end; the path is the real one, through no link. Null with no <see cref="Error"/>: the link leads nowhere, or
    /// in circles.
    /// </summary>
    public RemoteEntry? Entry { get; init; }

    /// <summary>Why the link could not be followed, or null.</summary>
    public TransferException? Error { get; init; }
}
