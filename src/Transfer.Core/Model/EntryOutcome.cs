namespace Transfer.Sessions;

/// <summary>The outcome of a look at one path: present, absent or unknown.</summary>
public readonly record struct EntryOutcome
{
    /// <summary>The entry at the path. Null with no <see cref="Error"/>: the path is proved to be absent.</summary>
    public RemoteEntry? Entry { get; init; }

    /// <summary>Why neither the presence nor the absence of the path could be determined, or null.</summary>
    public TransferException? Error { get; init; }

    /// <summary>Whether the path is proved to be absent: a refused look proves nothing.</summary>
    public bool IsAbsent => Entry is null && Error is null;
}
