namespace Transfer.Sessions;

/// <summary>How many sessions there may be, and what others know of that.</summary>
internal sealed partial class SessionPool
{
    private readonly SessionLimit _limit;
    private bool _isRecalling;
    private bool _hasRecalled;
    private (int Count, WorkKind? Expected) _ahead; // what Prepare was asked for before that

    /// <summary>Where the server's limit is remembered; null: nowhere.</summary>
    public LimitMemory? Memory { get; init; }

    // While it is read what is remembered, the first session is being opened, which takes longer.
    private int Most => Memory is null || _hasRecalled ? _limit.Current : 1;

    private void OpenAhead(int count, WorkKind? expected, PoolChanges changes)
    {
        if (Memory is not null && !_hasRecalled) _ahead = (Math.Max(count, _ahead.Count), expected ?? _ahead.Expected);
        for (var missing = Math.Min(count, Most) - Occupied; missing > 0; missing--)
        {
            _opening++;
            changes.ToOpen.Add(_line.AddOrphan(expected));
        }
    }

    private void Recall()
    {
        var recalled = Memory!.Recall();
        var changes = new PoolChanges();
        lock (_gate)
        {
            _hasRecalled = true;
            if (_disposed) return;
            if (recalled is { } limit && _limit.Recall(limit.Sessions, limit.IsFresh)) changes.RecalledTo = limit.Sessions;
            if (!_circuit.IsOpen) OpenAhead(_ahead.Count, _ahead.Expected, changes);
            Advance(changes);
        }
        Apply(changes);
    }

    private void Lower(PoolChanges changes)
    {
        if (_limit.Lower(Occupied)) changes.LoweredTo = _limit.Current;
        Memory?.Learn(_limit.Current);
    }

    private void Confirm(int open)
    {
        if (_limit.Confirm(open)) Memory?.Forget();
    }
}
