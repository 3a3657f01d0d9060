namespace Transfer.Sftp.Protocol;

/// <summary>
/// Bounds the bytes that are on their way, over all files of a session. The first in line is served first, and one request is always let
/// through, however large. Waiting has no cancellation: what is on its way comes to its end, and with it the wait.
/// </summary>
internal sealed class ByteBudget
{
    // A request is work for the server too, however few its bytes: this bounds the number of requests.
    private const int LeastCost = 4096;

    private const int Requests = 4;
    private const int LeastRequest = 32 << 10;

    private readonly Lock _gate = new();
    private readonly Queue<(int Bytes, TaskCompletionSource Granted)> _waiting = new();
    private readonly IByteLimit _limit;
    private readonly SftpMemory.Share _memory;
    private long _used;
    private bool _open;

    /// <param name="limit">What may be on its way, and</param>
    /// <param name="memory">where it finds room.</param>
    public ByteBudget(IByteLimit limit, SftpMemory.Share memory)
    {
        _limit = limit;
        _memory = memory;
    }

    /// <summary>Bytes on their way.</summary>
    public long Used
    {
        get { lock (_gate) return _used; }
    }

    /// <summary>Most bytes of one request: several are to be on their way, also where little is.</summary>
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

    /// <summary>Gives back what one take took.</summary>
    /// <param name="bytes">What was asked for then.</param>
    /// <param name="moved">How much of it really moved.</param>
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

    /// <summary>The session is over: nothing comes back, and nobody is to wait for it.</summary>
    public void Open()
    {
        lock (_gate)
        {
            _open = true;
            _memory.Leave();
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
