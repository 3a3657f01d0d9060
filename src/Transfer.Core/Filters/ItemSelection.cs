namespace Transfer.Filters;

/// <summary>The only items of a job, by name. Immutable once made.</summary>
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
                // The next folder up, until one is known.
            }
        }
    }

    public int Count => _items.Count;

    /// <summary>Whether a path is an item.</summary>
    public bool Names(string path) => _items.Contains(path);

    /// <summary>Whether a path is an item, or a directory on the way to one.</summary>
    public bool Admits(string path, bool isDirectory) => _items.Contains(path) || isDirectory && _above.Contains(path);
}
