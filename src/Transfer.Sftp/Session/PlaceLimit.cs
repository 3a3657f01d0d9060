namespace Transfer.Sftp.Session;

/// <summary>Bounds how many of something the server has at once, open files or connections being made; adapts when it refuses more. First come, first served.</summary>
internal sealed class PlaceLimit
{
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiting = new();
    private int _limit;
    private int _open;

    public PlaceLimit(int limit) => _limit = limit;

    public int Limit
    {
        get { lock (_gate) return _limit; }
    }

    public Task TakeAsync()
    {
        lock (_gate)
        {
            if (_open < _limit && _waiting.Count == 0)
            {
                _open++;
                return Task.CompletedTask;
            }
            var granted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue(granted);
            return granted.Task;
        }
    }

    public void Return()
    {
        lock (_gate)
        {
            _open--;
            Grant();
        }
    }

    /// <summary>The server refused one more although others were open: no more than half of those from now on. False: none other was open.</summary>
    public bool TryLower()
    {
        lock (_gate)
        {
            if (_open < 2) return false;
            _limit = Math.Clamp(_open / 2, 1, _limit);
            return true;
        }
    }

    /// <summary>That was not the reason.</summary>
    public void Restore(int limit)
    {
        lock (_gate)
        {
            _limit = Math.Max(_limit, limit);
            Grant();
        }
    }

    private void Grant()
    {
        while (_open < _limit && _waiting.TryDequeue(out var next))
        {
            _open++;
            next.SetResult();
        }
    }
}
