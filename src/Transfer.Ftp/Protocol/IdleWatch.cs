namespace Transfer.Ftp.Protocol;

/// <summary>
/// Calls back once when a wait has seen no movement for the whole time-out.
/// One timer for the whole life, armed lazily: noting progress costs one timestamp.
/// </summary>
internal sealed class IdleWatch : IDisposable
{
    private readonly TimeProvider _time;
    private readonly TimeSpan _limit;
    private readonly Action _onIdle;
    private readonly ITimer? _timer;
    private long _last;
    private int _waits;
    private int _armed;
    private int _holds;
    private volatile bool _expired;

    /// <summary>A limit of zero or less, or <see cref="Timeout.InfiniteTimeSpan"/>, never runs out.</summary>
    public IdleWatch(TimeProvider time, TimeSpan limit, Action onIdle)
    {
        _time = time;
        _limit = limit;
        _onIdle = onIdle;
        _last = time.GetTimestamp();
        if (limit > TimeSpan.Zero)
        {
            _timer = time.CreateTimer(static watch => ((IdleWatch)watch!).Check(), this, Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Whether the time has run out.</summary>
    public bool Expired => _expired;

    /// <summary>Notes the beginning of a wait; waits may overlap, and only the first starts the clock.</summary>
    public void Begin()
    {
        if (Interlocked.Increment(ref _waits) == 1)
            Touch();
        Arm(_limit);
    }

    /// <summary>Notes the end of a wait.</summary>
    public void End() => Interlocked.Decrement(ref _waits);

    /// <summary>Stops the clock: the wait is for this side.</summary>
    public void Hold() => Interlocked.Increment(ref _holds);

    /// <summary>Restarts the clock from the beginning.</summary>
    public void Release()
    {
        Touch();
        Interlocked.Decrement(ref _holds);
    }

    /// <summary>Notes a movement.</summary>
    public void Touch() => Volatile.Write(ref _last, _time.GetTimestamp());

    public void Dispose() => _timer?.Dispose();

    private void Arm(TimeSpan due)
    {
        if (_timer is not null && Interlocked.CompareExchange(ref _armed, 1, 0) == 0)
            _timer.Change(due, Timeout.InfiniteTimeSpan);
    }

    private void Check()
    {
        // Disarmed before the waits are read, while Begin counts before arming: one of the two always sees the other.
        Interlocked.Exchange(ref _armed, 0);
        if (Volatile.Read(ref _waits) <= 0 || _expired)
            return;
        var held = Volatile.Read(ref _holds) > 0;
        var left = held ? _limit : _limit - _time.GetElapsedTime(Volatile.Read(ref _last));
        if (left > TimeSpan.Zero)
        {
            // Timers count in whole milliseconds.
            Arm(left < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : left);
            return;
        }

        _expired = true;
        _onIdle();
    }
}
