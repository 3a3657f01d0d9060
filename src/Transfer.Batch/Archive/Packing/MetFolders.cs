namespace Transfer.Batch.Archive.Packing;

/// <summary>Folders that were met on the way through items. Who meets one has met all above it.</summary>
internal sealed class MetFolders
{
    private readonly HashSet<string> _met = [];

    /// <summary>Meets a folder; null, or empty: the one that all are in.</summary>
    /// <returns>It and those above it, as far as they were not met before, from the top down.</returns>
    public IReadOnlyList<string> Meet(string? folder)
    {
        // Most items lie where the one before them does.
        List<string>? met = null;
        for (; !string.IsNullOrEmpty(folder) && _met.Add(folder); folder = RemotePath.GetParent(folder)) (met ??= []).Add(folder);
        met?.Reverse();
        return met ?? (IReadOnlyList<string>)[];
    }
}
