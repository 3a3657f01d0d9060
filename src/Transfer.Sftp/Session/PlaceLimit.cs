namespace Transfer.Sftp.Session;

/// <summary>Bounds how many of something the server has at once, open files or connections being made; adapts when it refuses more. First come, first served.</summary>
internal sealed class PlaceLimit
{
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiting = new();
    private int _limit;
    private int _open;
    private bool _isOver;

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

    /// <summary>Those that are taken.</summary>
    public int Taken
    {
        get { lock (_gate) return _open; }
    }

    /// <summary>
    /// The server refused one more although others were open: no more than half of those from now on. False: none other was open, or the session is over. A refusal may be
    /// heard behind the session's end, when what is open does not come back.
    /// </summary>
    /// <param name="then">What was <see cref="Taken"/> when it was asked, this one with it: others may have come back since.</param>
    public bool TryLower(int then)
    {
        lock (_gate)
        {
            var most = Math.Max(then, _open);
            if (most < 2 || _isOver) return false;
            _limit = Math.Clamp(most / 2, 1, _limit);
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

    /// <summary>The session is over: nothing comes back, and nobody is to wait for it.</summary>
    public void Open()
    {
        lock (_gate) _isOver = true;
        Restore(int.MaxValue);
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
