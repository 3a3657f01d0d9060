namespace Transfer.Testing.Links;

/// <summary>The time on a link, in ticks of 100 ns since the link's start.</summary>
internal sealed class LinkClock : IDisposable
{
    private readonly TimeProvider _time;
    private readonly long _origin;
    private readonly LinkTimer? _timer;

    public LinkClock(TimeProvider time)
    {
        _time = time;
        _origin = time.GetTimestamp();
        if (time == TimeProvider.System) _timer = new LinkTimer();
    }

    public long Now => _time.GetElapsedTime(_origin).Ticks;

    /// <summary>Waits until a time is reached: never less, and about a millisecond more.</summary>
    public async ValueTask UntilAsync(long due, CancellationToken ct)
    {
        for (var left = due - Now; left > 0; left = due - Now)
        {
            if (_timer is not null) await _timer.WaitAsync(TimeSpan.FromTicks(left), ct).ConfigureAwait(false);
            else await Task.Delay(RoundUp(left), _time, ct).ConfigureAwait(false);
        }
    }

    public void Dispose() => _timer?.Dispose();

    /// <summary>Rounds up to whole milliseconds, the resolution of timers.</summary>
    private static TimeSpan RoundUp(long ticks) =>
        TimeSpan.FromMilliseconds((ticks + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond);
}
