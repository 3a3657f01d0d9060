using Microsoft.Extensions.Time.Testing;

namespace Transfer.TestSupport.Time;

/// <summary>A clock that moves only when a test advances the time, and counts the timers that have yet to fire.</summary>
/// <param name="start">The time at the beginning; by default that of <see cref="Samples"/>.</param>
internal sealed class ManualTime(DateTimeOffset? start = null) : FakeTimeProvider(start ?? Samples.Time)
{
    private readonly Lock _gate = new();
    private readonly HashSet<CountedTimer> _armed = [];

    /// <summary>The number of timers that have yet to fire.</summary>
    public int ArmedTimers
    {
        get { lock (_gate) return _armed.Count; }
    }

    /// <summary>The time since the beginning.</summary>
    public TimeSpan Elapsed => GetUtcNow() - Start;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
        new CountedTimer(this, callback, state, dueTime, period);

    private ITimer CreateUncounted(TimerCallback callback, TimeSpan dueTime, TimeSpan period) =>
        base.CreateTimer(callback, null, NotAtOnce(dueTime), period);

    // FakeTimeProvider fires a timer without a delay inside of the call that starts it, which no system does.
    private static TimeSpan NotAtOnce(TimeSpan dueTime) => dueTime == TimeSpan.Zero ? TimeSpan.FromMilliseconds(1) : dueTime;

    private void Count(CountedTimer timer, bool isArmed)
    {
        lock (_gate)
        {
            if (isArmed) _armed.Add(timer);
            else _armed.Remove(timer);
        }
    }

    private sealed class CountedTimer : ITimer
    {
        private readonly ManualTime _time;
        private readonly ITimer _timer;
        private bool _isPeriodic;

        public CountedTimer(ManualTime time, TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            _time = time;
            Arm(dueTime, period);
            _timer = time.CreateUncounted(_ =>
            {
                if (!_isPeriodic) _time.Count(this, isArmed: false);
                callback(state);
            }, dueTime, period);
        }

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Arm(dueTime, period);
            return _timer.Change(NotAtOnce(dueTime), period);
        }

        public void Dispose()
        {
            _time.Count(this, isArmed: false);
            _timer.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }

        private void Arm(TimeSpan dueTime, TimeSpan period)
        {
            _isPeriodic = period > TimeSpan.Zero;
            _time.Count(this, isArmed: dueTime != Timeout.InfiniteTimeSpan);
        }
    }
}
