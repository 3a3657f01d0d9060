namespace Transfer.Names;

/// <summary>An item's path relative to the job's folder, with forward slashes.</summary>
/// <param name="Path">The path at the source.</param>
/// <param name="MappedTo">The path at the target; null: the same.</param>
internal readonly record struct ItemPath(string Path, string? MappedTo = null)
{
    /// <summary>The path at the target.</summary>
    public string TargetPath => MappedTo ?? Path;

    /// <summary>Makes a pair of paths, the same or different ones.</summary>
    public static ItemPath Of(string path, string there) => new(path, path == there ? null : there);
}
