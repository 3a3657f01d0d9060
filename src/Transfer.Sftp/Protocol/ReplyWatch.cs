namespace Transfer.Sftp.Protocol;

/// <summary>Calls back once when replies are outstanding and nothing has moved for the whole time-out. Telling it of progress costs one time stamp.</summary>
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
    /// <param name="limit">Zero, less, or infinite: it never runs out.</param>
    /// <param name="waiting">Something is outstanding.</param>
    /// <param name="onIdle">The time has run out.</param>
    public ReplyWatch(TimeProvider time, TimeSpan limit, Func<bool> waiting, Action onIdle)
    {
        _time = time;
        _limit = limit;
        _waiting = waiting;
        _onIdle = onIdle;
        _last = time.GetTimestamp();
        if (limit > TimeSpan.Zero)
            _timer = time.CreateTimer(static watch => ((ReplyWatch)watch!).Check(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Something became outstanding where nothing was.</summary>
    public void Begin()
    {
        Touch();
        Arm(_limit);
    }

    /// <summary>Something moved.</summary>
    public void Touch() => Volatile.Write(ref _last, _time.GetTimestamp());

    public void Dispose() => _timer?.Dispose();

    private void Arm(TimeSpan due)
    {
        if (_timer is not null && Interlocked.Exchange(ref _armed, 1) == 0) _timer.Change(due, Timeout.InfiniteTimeSpan);
    }

    private void Check()
    {
        // Disarmed before the question is asked: whoever begins in between arms it again.
        Interlocked.Exchange(ref _armed, 0);
        if (!_waiting()) return;
        var left = _limit - _time.GetElapsedTime(Volatile.Read(ref _last));
        if (left <= TimeSpan.Zero) _onIdle();
        else Arm(left < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : left);
    }
}
