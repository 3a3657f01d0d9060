namespace Transfer.Tests.Replay;

/// <summary>
/// A clock that goes on only when it is told to: to the next timer that is due, or by the little that work takes. Timers that are due at
/// once fire in the order they were set.
/// </summary>
internal sealed class VirtualTime : TimeProvider
{
    private readonly List<VirtualTimer> _timers = [];
    private long _now;
    private long _set;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Since the beginning.</summary>
    public TimeSpan Now => new(_now);

    /// <summary>Timers that are set.</summary>
    public int Set => _timers.Count;

    public override long GetTimestamp() => _now;

    public override DateTimeOffset GetUtcNow() => Samples.Time.AddTicks(_now);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new VirtualTimer(this, callback, state);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Work has taken a little.</summary>
    public void Pass(TimeSpan time) => _now += time.Ticks;

    /// <summary>Goes on to the next timer that is due, and gives its callback; null: none is set.</summary>
    public IThreadPoolWorkItem? Next()
    {
        if (_timers.MinBy(timer => (timer.Due, timer.Order)) is not { } timer) return null;
        _now = Math.Max(_now, timer.Due);
        timer.Fired();
        return timer;
    }

    /// <summary>The process has ended.</summary>
    public void Forget() => _timers.Clear();

    private sealed class VirtualTimer(VirtualTime time, TimerCallback callback, object? state) : ITimer, IThreadPoolWorkItem
    {
        private readonly ExecutionContext? _context = ExecutionContext.Capture();
        private TimeSpan _period;

        public long Due { get; private set; }

        public long Order { get; private set; }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            time._timers.Remove(this);
            _period = period;
            if (dueTime != Timeout.InfiniteTimeSpan) Start(dueTime);
            return true;
        }

        public void Fired()
        {
            time._timers.Remove(this);
            if (_period > TimeSpan.Zero) Start(_period);
        }

        public void Execute()
        {
            if (_context is null) callback(state);
            else ExecutionContext.Run(_context, static self => ((VirtualTimer)self!).Call(), this);
        }

        public void Dispose() => time._timers.Remove(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        private void Call() => callback(state);

        private void Start(TimeSpan due)
        {
            (Due, Order) = (time._now + due.Ticks, time._set++);
            time._timers.Add(this);
        }
    }
}
