namespace Transfer.Batch.Archive.Packing;

/// <summary>The items of one archive.</summary>
internal sealed class ArchivePlan
{
    private readonly List<PackItem> _items = [];
    private long _bytes;
    private long _characters;

    public IReadOnlyList<PackItem> Items => _items;

    /// <summary>The bytes of the deltas' instructions, which are in memory until the archive is confirmed.</summary>
    public long StepBytes { get; private set; }

    /// <summary>The share of the budget for <see cref="StepBytes"/>; null: not taken yet.</summary>
    public BudgetShare? Steps { get; set; }

    /// <summary>Whether another item would exceed the size of an archive.</summary>
    public bool IsFullFor(PackItem item, BatchPackOptions options) =>
        _items.Count > 0 && (_items.Count >= options.ArchiveFiles || LengthSum.Add(_bytes, item.Weight) > options.ArchiveBytes
            || _characters + CharactersOf(item) > BatchPackOptions.MostArchiveCharacters);

    public void Add(PackItem item)
    {
        _items.Add(item);
        _bytes = LengthSum.Add(_bytes, item.Weight);
        _characters += CharactersOf(item);
        StepBytes += item.Delta?.Instructions.Length ?? 0;
    }

    private static int CharactersOf(PackItem item) => item.Path.Length + item.LinkText.Length;
}
