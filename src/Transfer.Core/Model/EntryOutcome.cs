namespace Transfer.Sessions;

/// <summary>A look at one path. Three answers: there, absent, unknown.</summary>
public readonly record struct EntryOutcome
{
    /// <summary>The entry that is there. Null with no <see cref="Error"/>: the path is proved to be absent.</summary>
    public RemoteEntry? Entry { get; init; }

    /// <summary>Why neither the presence nor the absence of the path could be found out, or null.</summary>
    public TransferException? Error { get; init; }

    /// <summary>True when the path is proved to be absent: a refused look proves nothing.</summary>
    public bool IsAbsent => Entry is null && Error is null;
}
