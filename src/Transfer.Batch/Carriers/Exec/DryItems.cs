namespace Transfer.Batch.Carriers.Exec;

/// <summary>
/// The items of a dry run: those that would be moved, and the other results, as long as they take no more
/// memory than listings may. Thread-safe.
/// </summary>
/// <param name="most">The most bytes of memory for the items; null: no limit, for a local folder, which is listed anyway.</param>
internal sealed class DryItems(long? most = null) : IProgress<ItemResult>, IProgress<string>
{
    // The fields of an item, and the header of the path's string.
    private const long ItemCost = 72;

    private readonly List<string> _folders = [];
    private readonly List<ListedFile> _files = [];
    private readonly List<ItemResult> _others = [];
    private long _bytes;

    public IReadOnlyList<ListedFile> Files => _files;

    /// <summary>Folders that would be made, if need be.</summary>
    public IReadOnlyList<string> Folders => _folders;

    /// <summary>Skipped, or failed.</summary>
    public IReadOnlyList<ItemResult> Others => _others;

    /// <summary>Whether the items exceed the limit, and some are missing.</summary>
    public bool IsTooLarge { get; private set; }

    public void Report(ItemResult value)
    {
        lock (_files)
        {
            if (!TryTake(value.Path)) return;
            if (value is { Action: ItemAction.Transfer, Result: { Skipped: false } result })
                _files.Add(new ListedFile(value.Path, result.Bytes));
            else _others.Add(value);
        }
    }

    public void Report(string value)
    {
        lock (_files)
        {
            if (TryTake(value)) _folders.Add(value);
        }
    }

    // An incomplete list is useless.
    private bool TryTake(string path)
    {
        _bytes += ItemCost + 2L * path.Length;
        if (IsTooLarge || !(_bytes > most)) return !IsTooLarge;
        IsTooLarge = true;
        _files.Clear();
        _folders.Clear();
        _others.Clear();
        return false;
    }
}
