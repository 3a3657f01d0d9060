namespace Transfer.Tests.Dialing;

/// <summary>A clock that stands still until it is told to go on.</summary>
internal sealed class ManualTimeProvider : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _armed = [];
    private long _now;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Timers that will still fire.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate) return _armed.Count;
        }
    }

    public override long GetTimestamp()
    {
        lock (_gate) return _now;
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Lets time pass; what falls due fires in order, each at its own time.</summary>
    public void Advance(TimeSpan by)
    {
        var target = GetTimestamp() + by.Ticks;
        while (true)
        {
            ManualTimer? next;
            lock (_gate)
            {
                next = _armed.Where(t => t.Due <= target).MinBy(t => t.Due);
                _now = Math.Max(_now, next?.Due ?? target);
                if (next is null) return;
                _armed.Remove(next);
            }
            next.Fire();
        }
    }

    private sealed class ManualTimer(ManualTimeProvider clock, Action fire) : ITimer
    {
        private bool _disposed;

        public long Due { get; private set; }

        public void Fire() => fire();

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            if (period > TimeSpan.Zero) throw new NotSupportedException("Periodic timers are not needed here.");
            lock (clock._gate)
            {
                clock._armed.Remove(this);
                if (_disposed) return false;
                if (dueTime == Timeout.InfiniteTimeSpan) return true;
                Due = clock._now + dueTime.Ticks;
                clock._armed.Add(this);
                return true;
            }
        }

        public void Dispose()
        {
            lock (clock._gate)
            {
                _disposed = true;
                clock._armed.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
