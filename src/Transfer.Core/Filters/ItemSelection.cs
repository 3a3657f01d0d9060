namespace Transfer.Filters;

/// <summary>Items of a folder by name: a job is about nothing else. Immutable once made.</summary>
internal sealed class ItemSelection
{
    private readonly HashSet<string> _items;
    private readonly HashSet<string> _above = [];

    /// <param name="paths">Paths relative to the job's folder.</param>
    public ItemSelection(IEnumerable<string> paths)
    {
        _items = [.. paths];
        foreach (var path in _items)
        {
            for (var slash = path.LastIndexOf('/'); slash > 0 && _above.Add(path[..slash]); slash = path.LastIndexOf('/', slash - 1))
            {
                // The next one up, until one is known.
            }
        }
    }

    public int Count => _items.Count;

    /// <summary>True for an item.</summary>
    public bool Names(string path) => _items.Contains(path);

    /// <summary>True for an item, and for a directory on the way to one.</summary>
    public bool Admits(string path, bool isDirectory) => _items.Contains(path) || isDirectory && _above.Contains(path);
}
