namespace Transfer;

/// <summary>The result of one item of a folder job.</summary>
public sealed record ItemResult
{
    /// <summary>The item's path relative to the job's folder, with forward slashes.</summary>
    public required string Path { get; init; }

    /// <summary>The item's path at the target, in the same form, where names are mapped (<see cref="DirectoryJobOptions.NameMapping"/>) and
    /// the path there differs; else null.</summary>
    public string? MappedTo { get; init; }

    /// <summary>The action done with the item, or tried.</summary>
    public ItemAction Action { get; init; }

    /// <summary>The reason why the item is left out; null: the item is not left out.</summary>
    public SkipReason? Reason { get; init; }

    /// <summary>Whether the target has the name already; known in dry runs only (<see cref="DirectoryJobOptions.DryRun"/>).</summary>
    public bool Replaces { get; init; }

    /// <summary>The path of a file at the target before the file was moved, in the same form; else null.</summary>
    public string? MovedFrom { get; init; }

    /// <summary>The kind of item.</summary>
    public RemoteEntryType Type { get; init; } = RemoteEntryType.File;

    /// <summary>
    /// In a plan: the path that all entries share that may be one entry at some target, with all entries below. Null: no other entry.
    /// </summary>
    internal string? Group { get; init; }

    /// <summary>In a plan: the listed length of a file or link to delete; null: not known.</summary>
    internal long? ListedLength { get; init; }

    /// <summary>In a plan: the listed modification time of a file or link to delete; null: not known.</summary>
    internal DateTimeOffset? ListedModified { get; init; }

    /// <summary>The result of the transfer; null: the item failed.</summary>
    public TransferResult? Result { get; init; }

    /// <summary>The reason why the item failed; null: no failure.</summary>
    public TransferException? Error { get; init; }

    /// <summary>Whether the file has arrived, and the failure is that of removing or moving its source.</summary>
    internal bool IsLeft { get; init; }

    /// <summary>Whether the target had the file already, and its source is removed or moved.</summary>
    internal bool LosesSource { get; init; }
}
