namespace Transfer.Batch.Archive.Packing;

/// <summary>What goes into one archive.</summary>
internal sealed class ArchivePlan
{
    private readonly List<PackItem> _items = [];
    private long _bytes;

    public IReadOnlyList<PackItem> Items => _items;

    /// <summary>Bytes of its deltas' instructions, which are in memory until it is confirmed.</summary>
    public long StepBytes { get; private set; }

    /// <summary>Where they are counted; null: nowhere yet.</summary>
    public BudgetShare? Steps { get; set; }

    /// <summary>True when another item would make it larger than wanted.</summary>
    public bool IsFullFor(PackItem item, BatchPackOptions options) =>
        _items.Count > 0 && (_items.Count >= options.ArchiveFiles || _bytes + item.Weight > options.ArchiveBytes);

    public void Add(PackItem item)
    {
        _items.Add(item);
        _bytes += item.Weight;
        StepBytes += item.Delta?.Instructions.Length ?? 0;
    }
}
