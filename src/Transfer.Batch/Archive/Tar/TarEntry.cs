namespace Transfer.Batch.Archive.Tar;

/// <summary>An entry of a tar stream, without its content.</summary>
internal sealed record TarEntry
{
    /// <summary>Its path, with slashes, without one at the end.</summary>
    public required string Path { get; init; }

    public required TarEntryType Type { get; init; }

    /// <summary>Bytes of its content.</summary>
    public long Length { get; init; }

    /// <summary>The nine permission bits; no others travel.</summary>
    public UnixFileMode Mode { get; init; }

    /// <summary>Modification time.</summary>
    public DateTime Modified { get; init; }

    /// <summary>Creation time, where it is known.</summary>
    public DateTime? Created { get; init; }

    /// <summary>Where a symbolic link leads.</summary>
    public string LinkText { get; init; } = string.Empty;

    /// <summary>What of a larger file this is; null: it is a whole one.</summary>
    public TarSlice? Slice { get; init; }

    /// <summary>The content is instructions to make the file of an older one; null: it is the file's.</summary>
    public TarDelta? Delta { get; init; }

    /// <summary>Bytes of the file's content, or of the slice's.</summary>
    public long ContentLength => Delta?.Length ?? Length;
}
