namespace Transfer.Batch.Archive.Packing;

/// <summary>The folders met on the way through items. Meeting a folder includes all folders above.</summary>
internal sealed class MetFolders
{
    private readonly HashSet<string> _met = [];

    /// <summary>Meets a folder; null, or empty: the root.</summary>
    /// <returns>The folder and those above that are met for the first time, from the top down.</returns>
    public IReadOnlyList<string> Meet(string? folder)
    {
        // Most items lie where the one before them does.
        List<string>? met = null;
        for (; !string.IsNullOrEmpty(folder) && _met.Add(folder); folder = RemotePath.GetParent(folder)) (met ??= []).Add(folder);
        met?.Reverse();
        return met ?? (IReadOnlyList<string>)[];
    }
}
