namespace Transfer.Handles;

/// <summary>The rate over the last few seconds, of bytes or files. Not thread-safe.</summary>
internal sealed class RateWindow
{
    private static readonly TimeSpan Span = TimeSpan.FromSeconds(3);

    private readonly TimeProvider _time;
    private readonly Queue<(long Stamp, long Total)> _samples = new();

    public RateWindow(TimeProvider time)
    {
        _time = time;
        _samples.Enqueue((time.GetTimestamp(), 0));
    }

    /// <summary>Adds a sample of the running total and returns the rate a second since the oldest sample kept.</summary>
    public double Add(long total)
    {
        var now = _time.GetTimestamp();
        _samples.Enqueue((now, total));
        // The one sample just outside the window stays: the window begins there.
        while (_samples.Count > 2 && _time.GetElapsedTime(_samples.ElementAt(1).Stamp, now) >= Span) _samples.Dequeue();
        var (stamp, first) = _samples.Peek();
        var seconds = _time.GetElapsedTime(stamp, now).TotalSeconds;
        return seconds > 0 ? Math.Max(0, total - first) / seconds : 0;
    }
}
