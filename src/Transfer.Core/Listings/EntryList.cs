namespace Transfer.Listings;

/// <summary>
/// Collects a directory's entries in blocks: a list that grows leaves arrays behind, which together are as large as the list.
/// </summary>
internal sealed class EntryList(ListingShare share)
{
    private const int Block = 1024;

    private readonly List<TreeEntry[]> _full = [];
    private TreeEntry[] _last = new TreeEntry[16];
    private int _count;

    /// <exception cref="TransferException"><see cref="TransferError.Partial"/>: there is no room left.</exception>
    public void Add(in TreeEntry entry)
    {
        share.Take(entry.Name, entry.LinkTarget);
        if (_count == _last.Length && _count < Block)
        {
            Array.Resize(ref _last, Math.Min(Block, _count * 4));
        }
        else if (_count == Block)
        {
            _full.Add(_last);
            _last = new TreeEntry[Block];
            _count = 0;
        }
        _last[_count++] = entry;
    }

    public List<TreeEntry> ToList()
    {
        var list = new List<TreeEntry>(_full.Count * Block + _count);
        foreach (var block in _full) list.AddRange(block);
        list.AddRange(_last.AsSpan(0, _count));
        return list;
    }
}
