namespace Transfer.Engine;

/// <summary>How long a segment took to get going, and how fast it goes since. Thread-safe.</summary>
internal sealed class SegmentPace
{
    // A rate of less is a rate of bursts.
    private static readonly TimeSpan LeastTime = TimeSpan.FromMilliseconds(50);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private long _taken;
    private long? _first;
    private long _bytes;

    public SegmentPace(TimeProvider time)
    {
        _time = time;
        _taken = time.GetTimestamp();
    }

    /// <summary>From being taken to the first bytes; null while there are none.</summary>
    public TimeSpan? Start
    {
        get { lock (_gate) return _first is { } first ? _time.GetElapsedTime(_taken, first) : null; }
    }

    /// <summary>Bytes a second since the first; null while that is not known.</summary>
    public double? Rate
    {
        get
        {
            lock (_gate)
            {
                if (_first is not { } first) return null;
                var elapsed = _time.GetElapsedTime(first);
                return elapsed < LeastTime ? null : _bytes / elapsed.TotalSeconds;
            }
        }
    }

    public void Moved(long bytes)
    {
        lock (_gate)
        {
            _first ??= _time.GetTimestamp();
            _bytes += bytes;
        }
    }

    public void Restart()
    {
        lock (_gate)
        {
            _taken = _time.GetTimestamp();
            _first = null;
            _bytes = 0;
        }
    }
}
