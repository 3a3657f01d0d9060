namespace Transfer.Sftp.Protocol;

/// <summary>
/// Calls back once when replies are outstanding and no byte has moved for the whole time-out. Reporting progress costs one time stamp.
/// </summary>
internal sealed class ReplyWatch : IDisposable
{
    private readonly TimeProvider _time;
    private readonly TimeSpan _limit;
    private readonly Func<bool> _waiting;
    private readonly Action _onIdle;
    private readonly ITimer? _timer;
    private long _last;
    private int _armed;

    /// <param name="time">The clock.</param>
    /// <param name="limit">The time-out; zero, less or infinite for none.</param>
    /// <param name="waiting">Whether a reply is outstanding.</param>
    /// <param name="onIdle">Called when the time has run out.</param>
    public ReplyWatch(TimeProvider time, TimeSpan limit, Func<bool> waiting, Action onIdle)
    {
        _time = time;
        _limit = limit;
        _waiting = waiting;
        _onIdle = onIdle;
        _last = time.GetTimestamp();
        if (limit > TimeSpan.Zero)
        {
            _timer = time.CreateTimer(static watch => ((ReplyWatch)watch!).Check(), this, Timeout.InfiniteTimeSpan,
                Timeout.InfiniteTimeSpan);
        }
    }

    /// <summary>Starts the time-out: a first reply is outstanding.</summary>
    public void Begin()
    {
        Touch();
        Arm(_limit);
    }

    /// <summary>Reports progress, and returns the time stamp.</summary>
    public long Touch()
    {
        var now = _time.GetTimestamp();
        Volatile.Write(ref _last, now);
        return now;
    }

    public void Dispose() => _timer?.Dispose();

    private void Arm(TimeSpan due)
    {
        if (_timer is not null && Interlocked.Exchange(ref _armed, 1) == 0) _timer.Change(due, Timeout.InfiniteTimeSpan);
    }

    private void Check()
    {
        // Disarmed before the check: a request that begins in between arms the timer again.
        Interlocked.Exchange(ref _armed, 0);
        if (!_waiting()) return;
        var left = _limit - _time.GetElapsedTime(Volatile.Read(ref _last));
        if (left <= TimeSpan.Zero) _onIdle();
        else Arm(left < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : left);
    }
}
