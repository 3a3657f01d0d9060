using Transfer.Pooling;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The <see cref="SessionRamp"/> of all jobs that ask for no number of their own, and the clock by which it is looked at. What is named
/// <c>…Locked</c> is called under the scheduler's lock.
/// </summary>
internal sealed class SharedRamp : IDisposable
{
    private readonly SessionPool _pool;
    private readonly int _most;
    private readonly Func<int> _usual;
    private readonly TimeProvider _time;
    private readonly Action _look;
    private SessionRamp _ramp = SessionRamp.ForFiles(1);
    private ITimer? _timer;
    private long _lookedAt;
    private int _endedLately; // since then

    /// <param name="pool">Knows the link.</param>
    /// <param name="most">Never more sessions.</param>
    /// <param name="usual">So many where no job asks for a number.</param>
    /// <param name="time">The clock.</param>
    /// <param name="look">Called again and again until it is clear how many sessions pay.</param>
    public SharedRamp(SessionPool pool, int most, Func<int> usual, TimeProvider time, Action look) => (_pool, _most, _usual, _time, _look) = (pool, most, usual, time, look);

    /// <summary>Sessions that there may be now.</summary>
    public int Allowed => _ramp.Allowed;

    /// <summary>There are as many sessions as a long link is worth.</summary>
    public bool IsOpenedUp => _ramp.IsLinkLong;

    /// <summary>The first session takes long to come, or has taken long.</summary>
    public bool IsLinkLong => _pool.IsFar || _pool.Open == 0 && !_pool.IsNear;

    /// <summary>Content bytes were moved.</summary>
    public void Moved(long bytes) => _ramp.Moved(bytes);

    /// <summary>A file has ended.</summary>
    public void FileEndedLocked()
    {
        _ramp.FileEnded();
        _endedLately++;
    }

    /// <summary>Begins anew: of the jobs that begin now nothing is known, and what the link did for others may be long ago.</summary>
    public void ResetLocked()
    {
        Dispose();
        _timer = null;
        _endedLately = 0;
        _ramp = SessionRamp.ForFiles(Math.Clamp(_usual(), 1, _most));
    }

    /// <summary>Begins to look: when the first session is there, or takes long to come, it is known what kind of link this is.</summary>
    public void WatchLocked()
    {
        if (_timer is not null || _ramp.IsLinkLong || _ramp.IsOver && _usual() >= _most) return;
        if (_pool.IsFar)
        {
            _ramp.OpenUp();
            return;
        }
        _lookedAt = _time.GetTimestamp();
        _timer = _time.CreateTimer(static self => ((SharedRamp)self!)._look(), this, SessionPool.LongOpening, SessionRamp.Interval);
    }

    /// <summary>Opens up where the link turns out to be long. True: it does just now.</summary>
    public bool TryOpenUpLocked()
    {
        if (_ramp.IsLinkLong || !IsLinkLong) return false;
        _ramp.OpenUp();
        return true;
    }

    /// <summary>The time since the last look, and the files that have ended a second since then.</summary>
    public (TimeSpan Elapsed, double Pace) LapLocked()
    {
        var elapsed = _time.GetElapsedTime(_lookedAt);
        _lookedAt = _time.GetTimestamp();
        var pace = _endedLately / Math.Max(0.001, elapsed.TotalSeconds);
        _endedLately = 0;
        return (elapsed, pace);
    }

    /// <inheritdoc cref="SessionRamp.Look"/>
    public bool LookLocked(TimeSpan elapsed, bool busy) => _ramp.Look(elapsed, busy);

    /// <summary>Ends the looks where it stays as it is.</summary>
    public void RestLocked()
    {
        if (_ramp.IsOver) _timer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Dispose() => _timer?.Dispose();
}
