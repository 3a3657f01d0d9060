namespace Transfer.Batch.Carriers.Link;

/// <summary>The numbers of the jobs that came last, up to a limit. Not thread-safe.</summary>
internal sealed class RecentJobs(int most)
{
    private readonly HashSet<string> _keys = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = [];

    public bool Contains(string key) => _keys.Contains(key);

    public void Add(string key)
    {
        if (!_keys.Add(key)) return;
        _order.Enqueue(key);
        if (_order.Count > most) _keys.Remove(_order.Dequeue());
    }
}
