namespace Transfer.Sessions;

/// <summary>Where a link leads.</summary>
public readonly record struct LinkOutcome
{
    /// <summary>What is at its end; its path is the real one, which goes through no link. Null with no <see cref="Error"/>: it leads nowhere, or round in circles.</summary>
    public RemoteEntry? Entry { get; init; }

    /// <summary>Why that can't be told, or null.</summary>
    public TransferException? Error { get; init; }
}
