namespace Transfer.Sftp.Session;

/// <summary>
/// Bounds a number of simultaneous resources of the server (open files, connections being made); adapts when the server refuses more.
/// First come, first served.
/// </summary>
internal sealed class PlaceLimit
{
    private readonly Lock _gate = new();
    private readonly Queue<TaskCompletionSource> _waiting = new();
    private int _limit;
    private int _open;
    private bool _hasEnded;

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

    /// <summary>Waits for a place until cancelled; a place that is granted later returns.</summary>
    public async ValueTask TakeAsync(CancellationToken ct)
    {
        var granted = TakeAsync();
        try
        {
            await granted.WaitAsync(ct).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            _ = granted.ContinueWith(static (_, self) => ((PlaceLimit)self!).Return(), this, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            throw;
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

    /// <summary>The number of places taken.</summary>
    public int Taken
    {
        get { lock (_gate) return _open; }
    }

    /// <summary>
    /// Lowers the limit to half of the open places after a refusal. False: no other was open, or the session has ended. A refusal may
    /// arrive after the session's end, when open places no longer return.
    /// </summary>
    /// <param name="then">The value of <see cref="Taken"/> at the request, including this one: places may have returned since.</param>
    public bool TryHalve(int then)
    {
        lock (_gate)
        {
            var most = Math.Max(then, _open);
            if (most < 2 || _hasEnded) return false;
            _limit = Math.Clamp(most / 2, 1, _limit);
            return true;
        }
    }

    /// <summary>Restores the limit: the number of places was not the reason.</summary>
    public void Restore(int limit)
    {
        lock (_gate)
        {
            _limit = Math.Max(_limit, limit);
            Grant();
        }
    }

    /// <summary>Lets all waiters through: the session has ended, and no place will return.</summary>
    public void ReleaseWaiters()
    {
        lock (_gate) _hasEnded = true;
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
