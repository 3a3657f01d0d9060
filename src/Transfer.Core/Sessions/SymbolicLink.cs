namespace Transfer.Sessions;

/// <summary>A symbolic link to make.</summary>
public sealed record SymbolicLink
{
    /// <summary>The path of the link, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>The text, not interpreted: the target's path, relative to the link's directory unless it begins with a slash.</summary>
    public required string Target { get; init; }

    /// <summary>Whether a file or link of that name is replaced; a directory never is.</summary>
    public bool Replace { get; init; }

    /// <summary>
    /// A free name beside <see cref="Path"/>, under which a link that replaces an entry is made first; null: nothing is replaced.
    /// </summary>
    public string? TemporaryPath { get; init; }

    /// <summary>The metadata to set on the link itself, where the server can; or null.</summary>
    public FileMetadata? Metadata { get; init; }
}
