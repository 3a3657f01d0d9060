namespace Transfer.Testing;

/// <summary>A file, directory or link in an <see cref="ITestStore"/>.</summary>
public sealed record TestEntry
{
    /// <summary>The last component of the path; empty for the root.</summary>
    public required string Name { get; init; }

    /// <summary>Whether this is a directory.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>Bytes; 0 for directories.</summary>
    public long Length { get; init; }

    /// <summary>The modification time.</summary>
    public DateTimeOffset Modified { get; init; }

    /// <summary>The permission bits.</summary>
    public UnixFileMode Mode { get; init; } = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead
        | UnixFileMode.OtherRead;

    /// <summary>Where a symbolic link points to, or null when this is none.</summary>
    public string? LinkTarget { get; init; }

    /// <summary>Whether this is a symbolic link without a target.</summary>
    public bool IsDangling { get; init; }
}
