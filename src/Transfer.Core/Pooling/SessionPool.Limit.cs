using Transfer.Sessions;

namespace Transfer.Pooling;

/// <summary>The limit on the number of sessions, and the memory of that limit.</summary>
internal sealed partial class SessionPool
{
    private int Most => _recall.IsPending ? 1 : _limit.Current;

    private void OpenAhead(int count, WorkKind? expected, PoolChanges changes)
    {
        _recall.RequestAhead(count, expected);
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
            var ahead = _recall.Complete();
            if (_disposed) return;
            if (recalled is { } limit && _limit.Recall(limit.Sessions, limit.IsFresh)) changes.RecalledTo = limit.Sessions;
            if (!_circuit.IsOpen) OpenAhead(ahead.Count, ahead.Expected, changes);
            StartOpeningsLocked(changes);
        }
        Apply(changes);
    }

    private void LowerLocked(PoolChanges changes)
    {
        if (_limit.Lower(Occupied)) changes.LoweredTo = _limit.Current;
        Memory?.Learn(_limit.Current);
    }

    private void ConfirmLocked(int open)
    {
        if (_limit.Confirm(open)) Memory?.Forget();
    }
}
