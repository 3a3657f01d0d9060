namespace Transfer.Tests.Engine;

/// <summary>A clock that stands still until it is told to go on.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now;

    /// <summary>How many wait for it to go on.</summary>
    public int Waiting
    {
        get { lock (_gate) return _timers.Count(timer => timer.Due != long.MaxValue); }
    }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Interlocked.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => Samples.Time.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        lock (_gate) _timers.Add(timer);
        return timer;
    }

    public void Advance(TimeSpan by)
    {
        var end = GetTimestamp() + by.Ticks;
        while (true)
        {
            ManualTimer? next;
            lock (_gate)
            {
                next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
                Interlocked.Exchange(ref _now, next is null ? end : Math.Max(_now, next.Due));
            }
            if (next is null) return;
            next.Fire();
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        public long Due { get; private set; } = long.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (time._gate)
            {
                Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks;
                _period = period;
            }
            return true;
        }

        public void Fire()
        {
            lock (time._gate) Due = _period > TimeSpan.Zero ? Due + _period.Ticks : long.MaxValue;
            callback(state);
        }

        public void Dispose()
        {
            lock (time._gate)
            {
                Due = long.MaxValue;
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
