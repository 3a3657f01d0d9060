namespace Transfer.Batch.Archive.Tar;

/// <summary>An entry of a tar stream, without the content.</summary>
internal sealed record TarEntry
{
    /// <summary>The path, with slashes, without one at the end.</summary>
    public required string Path { get; init; }

    public required TarEntryType Type { get; init; }

    /// <summary>The length of the content in bytes.</summary>
    public long Length { get; init; }

    /// <summary>The nine permission bits; no further ones travel.</summary>
    public UnixFileMode Mode { get; init; }

    /// <summary>Modification time.</summary>
    public DateTime Modified { get; init; }

    /// <summary>The creation time, if known.</summary>
    public DateTime? Created { get; init; }

    /// <summary>The text of a symbolic link.</summary>
    public string LinkText { get; init; } = string.Empty;

    /// <summary>The slice of a larger file that this entry is; null: a whole file.</summary>
    public TarSlice? Slice { get; init; }

    /// <summary>The facts of a delta, if the content is instructions to make the file of an older one; null: the content is the
    /// file's.</summary>
    public TarDelta? Delta { get; init; }

    /// <summary>The length of the file or of the slice in bytes.</summary>
    public long ContentLength => Delta?.Length ?? Length;
}
