namespace Transfer.Local;

/// <summary>A file, a directory or a link in a local directory that a <see cref="LocalTreeReader"/> reads.</summary>
public readonly record struct LocalTreeItem
{
    /// <summary>The path relative to the directory that is read, with forward slashes.</summary>
    public required string Path { get; init; }

    /// <summary>The type of the item; of a followed link, that of the link's end.</summary>
    public RemoteEntryType Type { get; init; }

    /// <summary>The state of the item.</summary>
    public LocalTreeItemState State { get; init; }

    /// <summary>The length of a file in bytes; null for anything else.</summary>
    public long? Length { get; init; }

    /// <summary>The time of the last modification of a file or a link, with the precision of the file system; null: not known.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>The text of a link that is copied; else null.</summary>
    public string? LinkTarget { get; init; }

    /// <summary>Why the item cannot be read, with <see cref="LocalTreeItemState.Failed"/>; else null.</summary>
    public TransferException? Error { get; init; }
}
