namespace Transfer.Batch.Carriers.Exec;

/// <summary>The items of a dry run: those that would be moved, and the other results. The folder is a local one, whose list takes memory
/// in any case. Thread-safe.</summary>
internal sealed class DryItems : IProgress<ItemResult>, IProgress<string>
{
    private readonly List<string> _folders = [];
    private readonly List<ListedFile> _files = [];
    private readonly List<ItemResult> _others = [];

    public IReadOnlyList<ListedFile> Files => _files;

    /// <summary>Folders that would be made, if need be.</summary>
    public IReadOnlyList<string> Folders => _folders;

    /// <summary>Skipped, or failed.</summary>
    public IReadOnlyList<ItemResult> Others => _others;

    public void Report(ItemResult value)
    {
        lock (_files)
        {
            if (value is { Action: ItemAction.Transfer, Result: { Skipped: false } result })
                _files.Add(new ListedFile(value.Path, result.Bytes));
            else _others.Add(value);
        }
    }

    public void Report(string value)
    {
        lock (_files) _folders.Add(value);
    }
}
