namespace Transfer.SshNet.Session;

/// <summary>
/// Ends a call on which nothing has moved for a time (<see cref="TransferClientOptions.IdleTimeout"/>). Time in which the local end is
/// waited for does not count. Thread-safe.
/// </summary>
internal sealed class IdleWatch : IDisposable
{
    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly TimeSpan _limit;
    private readonly CancellationTokenSource _stop;
    private readonly ITimer? _timer;
    private long _moved;
    private int _pauses;
    private bool _disposed;

    /// <param name="limit">How long nothing may move; zero, less or <see cref="Timeout.InfiniteTimeSpan"/>: for ever.</param>
    /// <param name="time">The clock.</param>
    /// <param name="end">Fires when the session is given up.</param>
    /// <param name="ct">Cancels too.</param>
    public IdleWatch(TimeSpan limit, TimeProvider time, CancellationToken end, CancellationToken ct)
    {
        (_limit, _time) = (limit, time);
        _stop = CancellationTokenSource.CreateLinkedTokenSource(ct, end);
        _moved = time.GetTimestamp();
        if (limit > TimeSpan.Zero)
            _timer = time.CreateTimer(static state => ((IdleWatch)state!).Check(), this, limit, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Fires when nothing has moved for the limit, the session is given up, or the caller has cancelled.</summary>
    public CancellationToken Token => _stop.Token;

    /// <summary>Whether nothing has moved for the limit.</summary>
    public bool HasExpired { get; private set; }

    /// <summary>Reports progress.</summary>
    public void Touch() => Volatile.Write(ref _moved, _time.GetTimestamp());

    /// <summary>The local end is waited for, until <see cref="Resume"/>.</summary>
    public void Pause() => Interlocked.Increment(ref _pauses);

    /// <summary>The local end is not waited for any more.</summary>
    public void Resume()
    {
        Touch();
        Interlocked.Decrement(ref _pauses);
    }

    public void Dispose()
    {
        lock (_gate)
        {
            if (_disposed) return;
            _disposed = true;
        }
        _timer?.Dispose();
        _stop.Dispose();
    }

    private void Check()
    {
        lock (_gate)
        {
            if (_disposed) return;
            var left = Volatile.Read(ref _pauses) > 0 ? _limit : _limit - _time.GetElapsedTime(Volatile.Read(ref _moved));
            if (left > TimeSpan.Zero)
            {
                // Timers count in whole milliseconds.
                _timer!.Change(left + TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
                return;
            }
            HasExpired = true;
        }
        try
        {
            _stop.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // The call ended in this moment.
        }
    }
}
