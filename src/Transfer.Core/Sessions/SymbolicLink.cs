namespace Transfer.Sessions;

/// <summary>A symbolic link that is to be made.</summary>
public sealed record SymbolicLink
{
    /// <summary>Where, absolute.</summary>
    public required string Path { get; init; }

    /// <summary>Its text, which is not interpreted: where it leads, relative to the directory that it is in unless it begins with a slash.</summary>
    public required string Target { get; init; }

    /// <summary>A file or link of that name is replaced; a directory never is.</summary>
    public bool Replace { get; init; }

    /// <summary>A name beside <see cref="Path"/> that is free, to make the link under where it replaces something; null: nothing is replaced.</summary>
    public string? TemporaryPath { get; init; }

    /// <summary>What is set on the link itself, where the server can; or null.</summary>
    public FileMetadata? Metadata { get; init; }
}
