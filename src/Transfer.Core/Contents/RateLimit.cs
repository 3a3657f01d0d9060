namespace Transfer.Contents;

/// <summary>
/// A token bucket: a number of bytes a second, over all takers, constant or by a schedule. A taker gets a place in the sequence of all
/// bytes, and goes when as many bytes are allowed; so turns are in order and no taker starves. Thread-safe.
/// </summary>
internal sealed class RateLimit
{
    /// <summary>How long unused bytes are kept: they make up for timers that come late.</summary>
    internal static readonly TimeSpan Burst = TimeSpan.FromMilliseconds(100);

    // How late a change of the schedule is noticed, also by takers that wait.
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(1);

    // Turns a second where the link is faster than the limit: few enough to cost nothing, and small enough to look like a flow.
    private const int Turns = 20;
    private const int LargestTurn = 256 * 1024;

    private readonly Lock _gate = new();
    private readonly Stack<RateWait> _free = new();
    private readonly TimeProvider _time;
    private readonly RateSchedule? _schedule;
    private long _at; // the time for which the numbers below hold
    private long _lookAt; // the time at which the schedule is read again
    private double? _rate;
    private double _taken;
    private double _allowed;

    /// <summary>Creates a constant limit.</summary>
    public RateLimit(long bytesPerSecond, TimeProvider time)
        : this(time) => _rate = bytesPerSecond;

    /// <summary>Creates a limit that changes.</summary>
    public RateLimit(RateSchedule schedule, TimeProvider time)
        : this(time) => _schedule = schedule;

    private RateLimit(TimeProvider time)
    {
        _time = time;
        _at = _lookAt = time.GetTimestamp();
    }

    /// <summary>The most bytes that one turn should take now.</summary>
    public int MostAtOnce
    {
        get
        {
            var rate = Rate;
            return rate is null ? LargestTurn : (int)Math.Clamp(rate.Value / Turns, 1, LargestTurn);
        }
    }

    /// <summary>Whether there is no limit now.</summary>
    public bool IsOff => _schedule is not null && Rate is null;

    private double? Rate
    {
        get
        {
            if (_schedule is null) return _rate;
            lock (_gate)
            {
                AdvanceLocked();
                return _rate;
            }
        }
    }

    /// <summary>Takes bytes, and ends when they may move. A cancelled wait gives them back.</summary>
    public ValueTask TakeAsync(int bytes, CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled(ct);
        if (bytes == 0) return default;
        RateWait? wait;
        double place;
        lock (_gate)
        {
            AdvanceLocked();
            place = _taken;
            _taken += bytes;
            if (LeftLocked(place) < RateWait.Least) return default;
            _free.TryPop(out wait);
        }
        return (wait ?? new RateWait(this, _time)).Begin(place, bytes, ct);
    }

    /// <summary>The time until a taker may go, or may look again.</summary>
    /// <param name="place">The number of bytes that were taken before.</param>
    public TimeSpan LeftOf(double place)
    {
        lock (_gate)
        {
            AdvanceLocked();
            var left = LeftLocked(place);
            return _schedule is not null && left > LookInterval ? LookInterval : left;
        }
    }

    /// <summary>Gives back bytes that were taken and did not move; negative: more moved.</summary>
    public void Return(int bytes)
    {
        if (bytes == 0) return;
        lock (_gate) _taken -= bytes;
    }

    /// <summary>Keeps the object of a finished wait for the next wait.</summary>
    public void ReturnWait(RateWait wait)
    {
        lock (_gate) _free.Push(wait);
    }

    private TimeSpan LeftLocked(double place) =>
        _rate is { } rate && place > _allowed
        ? TimeSpan.FromSeconds(Math.Min((place - _allowed) / rate, TimeSpan.MaxValue.TotalSeconds / 2)) : TimeSpan.Zero;

    private void AdvanceLocked()
    {
        var now = _time.GetTimestamp();
        if (_rate is { } rate)
        {
            _allowed += rate * (now - _at) / _time.TimestampFrequency;
            _allowed = Math.Min(_allowed, _taken + rate * Burst.TotalSeconds);
        }

        _at = now;
        if (_schedule is null || now < _lookAt) return;
        var (before, next) = (_rate, _schedule.At(_time.GetLocalNow()));
        _lookAt = now + (long)(LookInterval.TotalSeconds * _time.TimestampFrequency);

        // What moved without a limit is not owed, and what a higher limit left unused is not kept for a lower one.
        if (before is null) _allowed = _taken;
        else if (next is null) _allowed = Math.Max(_allowed, _taken);
        else _allowed = Math.Min(_allowed, _taken + next.Value * Burst.TotalSeconds);
        _rate = next;
    }
}
