namespace Transfer.Sftp.Protocol;

/// <summary>
/// Bounds the bytes in flight over all files of a session. Waiters are served in order, and one request is always let through, however
/// large. Waiting has no cancellation: the requests in flight end, and the wait with them.
/// </summary>
internal sealed class FlightBudget
{
    // A request costs the server work, however few the bytes: this bounds the number of requests.
    private const int LeastCost = 4096;

    private const int Requests = 4;
    private const int LeastRequest = 32 << 10;

    private readonly Lock _gate = new();
    private readonly Queue<(int Bytes, TaskCompletionSource Granted)> _waiting = new();
    private readonly LinkLimit _limit;
    private readonly SftpMemory.Share _memory;
    private long _used;
    private bool _open;

    /// <param name="limit">The limit of the bytes in flight.</param>
    /// <param name="memory">The session's part of the client's memory.</param>
    public FlightBudget(LinkLimit limit, SftpMemory.Share memory)
    {
        _limit = limit;
        _memory = memory;
    }

    /// <summary>The bytes in flight.</summary>
    public long Used
    {
        get { lock (_gate) return _used; }
    }

    /// <summary>The most bytes of one request: a small limit, too, lets several requests fly.</summary>
    public int MostRequest
    {
        get { lock (_gate) return (int)Math.Max(LeastRequest, _limit.Bytes / Requests); }
    }

    public bool TryTake(int bytes)
    {
        lock (_gate)
        {
            return _waiting.Count == 0 && Take(bytes);
        }
    }

    public Task TakeAsync(int bytes)
    {
        lock (_gate)
        {
            if (_waiting.Count == 0 && Take(bytes)) return Task.CompletedTask;
            var granted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue((bytes, granted));
            return granted.Task;
        }
    }

    /// <summary>Returns the bytes of one take.</summary>
    /// <param name="bytes">The bytes taken.</param>
    /// <param name="moved">How many of the bytes moved.</param>
    public void Return(int bytes, int moved)
    {
        lock (_gate)
        {
            _used -= Math.Max(bytes, LeastCost);
            _memory.Return(bytes);
            _limit.Moved(moved);
            Grant();
        }
    }

    /// <summary>Lets all waiters through: the session has ended, and no reply will return their bytes.</summary>
    public void Open()
    {
        lock (_gate)
        {
            _open = true;
            _memory.ReleaseAll();
            Grant();
        }
    }

    private void Grant()
    {
        while (_waiting.TryPeek(out var first) && Take(first.Bytes))
        {
            _waiting.Dequeue();
            first.Granted.SetResult();
        }
    }

    private bool Take(int bytes)
    {
        var cost = Math.Max(bytes, LeastCost);
        if (!_open && _used > 0 && _used + cost > _limit.Bytes)
        {
            _limit.Reached();
            return false;
        }
        if (!_memory.TryTake(bytes, insists: _open || _used == 0)) return false;
        _used += cost;
        return true;
    }
}
