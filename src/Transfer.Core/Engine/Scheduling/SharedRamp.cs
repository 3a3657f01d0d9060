using Transfer.Pooling;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The <see cref="SessionRamp"/> of all jobs with no number of sessions in the options, and a timer. Members named <c>…Locked</c> are
/// called under the scheduler's lock.
/// </summary>
internal sealed class SharedRamp : IDisposable
{
    private readonly SessionPool _pool;
    private readonly int _most;
    private readonly int _beyond;
    private readonly Func<int> _usual;
    private readonly TimeProvider _time;
    private readonly Action _look;
    private SessionRamp _ramp = SessionRamp.ForFiles(1);
    private ITimer? _timer;
    private long _lookedAt;
    private int _begunLately; // files begun since the last look

    /// <param name="pool">The pool, which measures the network link.</param>
    /// <param name="most">The most sessions.</param>
    /// <param name="beyond">The same for small files on a long link; 0: no more than usual.</param>
    /// <param name="usual">The number of sessions where no job's options name one.</param>
    /// <param name="time">The clock.</param>
    /// <param name="look">Called again and again until the number of sessions is final.</param>
    public SharedRamp(SessionPool pool, int most, int beyond, Func<int> usual, TimeProvider time, Action look) =>
        (_pool, _most, _beyond, _usual, _time, _look) = (pool, most, beyond, usual, time, look);

    /// <summary>The number of sessions allowed now.</summary>
    public int Allowed => _ramp.Allowed;

    /// <summary>Whether there are as many sessions as a long network link is worth.</summary>
    public bool IsOpenedUp => _ramp.IsLinkLong;

    /// <summary>Whether opening the first session takes long, or has taken long.</summary>
    public bool IsLinkLong => _pool.IsFar || _pool.Open == 0 && !_pool.IsNear;

    /// <summary>Counts content bytes that were moved.</summary>
    public void Moved(long bytes) => _ramp.Moved(bytes);

    /// <inheritdoc cref="SessionRamp.FileBegun"/>
    public void FileBegun()
    {
        _ramp.FileBegun();
        Interlocked.Increment(ref _begunLately);
    }

    /// <summary>Begins anew: the next jobs are not known, and earlier measurements of the network link may be old.</summary>
    public void ResetLocked()
    {
        Dispose();
        _timer = null;
        _begunLately = 0;
        _ramp = SessionRamp.ForFiles(Math.Clamp(_usual(), 1, _most), _beyond);
    }

    /// <summary>Starts the timer: the first session, open or slow to open, shows the kind of the network link.</summary>
    public void WatchLocked()
    {
        if (_timer is not null || _ramp.IsLinkLong) return;
        if (_pool.IsFar)
        {
            _ramp.AllowAll();
            if (_ramp.IsFinal) return;
        }
        _lookedAt = _time.GetTimestamp();
        _timer = _time.CreateTimer(static self => ((SharedRamp)self!)._look(), this, SessionPool.LongOpening, SessionRamp.Interval);
    }

    /// <summary>Allows all sessions once the network link proves long. True: this call did so.</summary>
    public bool TryOpenUpLocked()
    {
        if (_ramp.IsLinkLong || !IsLinkLong) return false;
        _ramp.AllowAll();
        return true;
    }

    /// <summary>Returns the time since the last look, and the number of files that have begun a second since then.</summary>
    public (TimeSpan Elapsed, double Pace) LapLocked()
    {
        var elapsed = _time.GetElapsedTime(_lookedAt);
        _lookedAt = _time.GetTimestamp();
        return (elapsed, Interlocked.Exchange(ref _begunLately, 0) / Math.Max(0.001, elapsed.TotalSeconds));
    }

    /// <inheritdoc cref="SessionRamp.Measure"/>
    public bool MeasureLocked(TimeSpan elapsed, bool busy)
    {
        if (!_ramp.Measure(elapsed, busy)) return false;
        _pool.Allow(Math.Max(_most, _ramp.Allowed));
        return true;
    }

    /// <summary>Ends the measuring with the last job.</summary>
    public void EndLocked()
    {
        Dispose();
        _pool.Allow(_most);
    }

    /// <summary>Stops the timer once the number is final.</summary>
    public void StopMeasuringLocked()
    {
        if (_ramp.IsFinal) _timer?.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Dispose() => _timer?.Dispose();
}
