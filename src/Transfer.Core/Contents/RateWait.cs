using System.Threading.Tasks.Sources;

namespace Transfer.Contents;

/// <summary>One wait for a <see cref="RateLimit"/>, with a timer; used again and again, so that waiting allocates nothing.</summary>
internal sealed class RateWait : IValueTaskSource
{
    /// <summary>The shortest wait: timers count in milliseconds.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromMilliseconds(1);

    private readonly Lock _gate = new();
    private readonly RateLimit _limit;
    private readonly ITimer _timer;
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;
    private CancellationToken _ct;
    private double _place;
    private int _bytes;
    private bool _waiting;

    public RateWait(RateLimit limit, TimeProvider time)
    {
        _limit = limit;
        _timer = time.CreateTimer(static self => ((RateWait)self!).OnTimer(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public ValueTask Begin(double place, int bytes, CancellationToken ct)
    {
        lock (_gate)
        {
            _place = place;
            _bytes = bytes;
            _ct = ct;
            _waiting = true;
            Arm(_limit.LeftOf(place));
        }
        var task = new ValueTask(this, _core.Version);
        _registration = ct.UnsafeRegister(static self => ((RateWait)self!).OnCanceled(), this);
        return task;
    }

    void IValueTaskSource.GetResult(short token)
    {
        // Waits for a running callback, which must not meet the next wait.
        _registration.Dispose();
        try
        {
            _core.GetResult(token);
        }
        finally
        {
            _registration = default;
            _ct = default;
            _core.Reset();
            _limit.ReturnWait(this);
        }
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Arm(TimeSpan due) => _timer.Change(due < Least ? Least : due, Timeout.InfiniteTimeSpan);

    private void OnTimer()
    {
        lock (_gate)
        {
            if (!_waiting) return;
            // The timer may be that of a cancelled wait, or run fast; and the limit may have changed.
            var left = _limit.LeftOf(_place);
            if (left >= Least)
            {
                Arm(left);
                return;
            }
            _waiting = false;
        }
        _core.SetResult(true);
    }

    private void OnCanceled()
    {
        lock (_gate)
        {
            if (!_waiting) return;
            _waiting = false;
        }
        _limit.Return(_bytes);
        _core.SetException(new OperationCanceledException(_ct));
    }
}
