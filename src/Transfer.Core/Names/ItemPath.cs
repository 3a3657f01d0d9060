namespace Transfer.Names;

/// <summary>An item's path relative to the job's folder, with forward slashes.</summary>
/// <param name="Path">At the source.</param>
/// <param name="MappedTo">At the target; null: the same path.</param>
internal readonly record struct ItemPath(string Path, string? MappedTo = null)
{
    /// <summary>The path at the target.</summary>
    public string There => MappedTo ?? Path;

    /// <summary>The same path here and there, or not.</summary>
    public static ItemPath Of(string path, string there) => new(path, path == there ? null : there);
}
