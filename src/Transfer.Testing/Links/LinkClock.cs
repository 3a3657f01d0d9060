namespace Transfer.Testing.Links;

/// <summary>Time on a link, in ticks of 100 ns since it started.</summary>
internal sealed class LinkClock
{
    private readonly TimeProvider _time;
    private readonly long _origin;

    public LinkClock(TimeProvider time)
    {
        _time = time;
        _origin = time.GetTimestamp();
    }

    public long Now => _time.GetElapsedTime(_origin).Ticks;

    /// <summary>Waits until a time is reached: never less, and about a millisecond more, which is how fine timers are.</summary>
    public async ValueTask UntilAsync(long due, CancellationToken ct)
    {
        for (var left = due - Now; left > 0; left = due - Now)
        {
            var milliseconds = (left + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond;
            await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), _time, ct).ConfigureAwait(false);
        }
    }
}
