namespace Transfer.Contents;

/// <summary>
/// A token bucket: a number of bytes a second, over all takers. A taker gets a time rather than a place in a line: bytes taken put off the
/// next taker's time, so turns are in order and no taker starves. Thread-safe.
/// </summary>
internal sealed class RateLimit
{
    /// <summary>How long unused bytes are kept: they make up for timers that come late.</summary>
    internal static readonly TimeSpan Burst = TimeSpan.FromMilliseconds(100);

    // Turns a second where the link is faster than the limit: few enough to cost nothing, and small enough to look like a flow.
    private const int Turns = 20;
    private const int LargestTurn = 256 * 1024;

    private readonly Lock _gate = new();
    private readonly Stack<RateWait> _free = new();
    private readonly TimeProvider _time;
    private readonly double _rate;
    private readonly long _started;
    private double _accountedUntil; // seconds since the start that the bytes taken account for

    public RateLimit(long bytesPerSecond, TimeProvider time)
    {
        _rate = bytesPerSecond;
        _time = time;
        _started = time.GetTimestamp();
        MostAtOnce = (int)Math.Clamp(bytesPerSecond / Turns, 1, LargestTurn);
    }

    /// <summary>The most bytes that one turn should take.</summary>
    public int MostAtOnce { get; }

    /// <summary>Takes bytes, and ends when they may move. A cancelled wait gives them back.</summary>
    public ValueTask TakeAsync(int bytes, CancellationToken ct)
    {
        if (ct.IsCancellationRequested) return ValueTask.FromCanceled(ct);
        if (bytes == 0) return default;
        RateWait? wait;
        TimeSpan due;
        lock (_gate)
        {
            var now = _time.GetElapsedTime(_started).TotalSeconds;
            _accountedUntil = Math.Max(_accountedUntil, now - Burst.TotalSeconds);
            due = TimeSpan.FromSeconds(_accountedUntil - now);
            _accountedUntil += bytes / _rate;
            if (due < RateWait.Least) return default;
            _free.TryPop(out wait);
        }
        return (wait ?? new RateWait(this, _time)).Begin(due, bytes, ct);
    }

    /// <summary>Gives back bytes that were taken and did not move; negative: more moved.</summary>
    public void Return(int bytes)
    {
        if (bytes == 0) return;
        lock (_gate) _accountedUntil -= bytes / _rate;
    }

    /// <summary>Keeps the object of a finished wait for the next wait.</summary>
    public void ReturnWait(RateWait wait)
    {
        lock (_gate) _free.Push(wait);
    }
}
