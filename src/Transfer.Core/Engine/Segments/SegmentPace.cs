namespace Transfer.Engine.Segments;

/// <summary>The time that a segment, or a whole file, took to start, and the rate since then. Thread-safe.</summary>
internal sealed class SegmentPace
{
    // The length of a window: shorter ones would measure bursts, since a window of TCP comes in a round trip. Where the round trip is not
    // known the time to the first bytes stands in.
    private const double RoundTrips = 2;
    private static readonly TimeSpan LeastTime = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(1);

    /// <summary>The growth of a rate above which a connection counts as young: slow start doubles each round trip.</summary>
    public const double Growth = 1.25;

    // Slow start doubles the rate each round trip.
    private const double MostGrowth = 4;

    private const double Stalled = 0.1;
    private const double NearBest = 0.9;

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly TimeSpan? _roundTrip;
    private long _taken;
    private TimeSpan _prepared;
    private long? _first;
    private long _windowStart;
    private long _bytes; // of this window
    private double? _rate; // of the last window
    private double? _before; // of the one before that
    private double _best;
    private double _bestOfTwo; // the mean of two windows: packets that are lost delay bytes from one window into the next

    /// <param name="time">The clock.</param>
    /// <param name="roundTrip">The round trip of the path; null: not known.</param>
    public SegmentPace(TimeProvider time, TimeSpan? roundTrip = null)
    {
        _time = time;
        _roundTrip = roundTrip;
        _taken = time.GetTimestamp();
    }

    /// <summary>The time from the take to the first bytes, with preparations made before; null while there are no bytes.</summary>
    public TimeSpan? Start
    {
        get { lock (_gate) return StartTime; }
    }

    /// <summary>The time waited for the first bytes; null once they are here.</summary>
    public TimeSpan? Waited
    {
        get { lock (_gate) return _first is null ? _time.GetElapsedTime(_taken) : null; }
    }

    /// <summary>The rate of the last window, in bytes a second; null while not known.</summary>
    public double? Rate => Look().Rate;

    /// <summary>The rate of the window before; 0 while not known.</summary>
    public double RateBefore => Look().Before ?? 0;

    /// <summary>
    /// The better rate of the last two windows: bytes behind a lost packet come with the next window. Null while not known.
    /// </summary>
    public double? BetterRate => Better(Look());

    /// <summary>
    /// The rate to expect for the next window: a rate that grows goes on growing. Null while not known, or not known to grow.
    /// </summary>
    public double? Outlook => Look() is (double rate, double before and > 0, _, _)
        ? Math.Max(before, rate * Math.Clamp(rate / before, 1, MostGrowth)) : null;

    /// <summary>Whether the rate is known and no longer grows as that of a young connection does.</summary>
    public bool IsSettled => Look() is var (rate, before, _, _) && rate <= before * Growth;

    /// <summary>
    /// Whether the segment has been far faster: a connection that has lost packets may wait seconds before sending them again.
    /// </summary>
    public bool IsStalled => Look() is (double, double, var best, _) look && Better(look) < best * Stalled;

    /// <summary>Whether the rate is about the best so far.</summary>
    public bool IsAtBest => Look() is (double, double, _, var best) look && Better(look) >= best * NearBest;

    private TimeSpan? StartTime => _first is { } first ? _prepared + _time.GetElapsedTime(_taken, first) : null;

    /// <summary>Adds the time of preparations that were begun before the take.</summary>
    public void PreparedFor(TimeSpan took)
    {
        lock (_gate) _prepared = took;
    }

    public void Moved(long bytes)
    {
        lock (_gate)
        {
            if (_first is null) _first = _windowStart = _time.GetTimestamp();
            CloseWindow();
            _bytes += bytes;
        }
    }

    public void Restart()
    {
        lock (_gate)
        {
            _taken = _time.GetTimestamp();
            _prepared = TimeSpan.Zero;
            _first = null;
            _bytes = 0;
            _rate = _before = null;
            _best = _bestOfTwo = 0;
        }
    }

    private static double? Better((double? Rate, double? Before, double, double) look) =>
        look.Rate is { } rate ? Math.Max(rate, look.Before ?? 0) : null;

    private (double? Rate, double? Before, double Best, double BestOfTwo) Look()
    {
        lock (_gate)
        {
            CloseWindow();
            return (_rate, _before, _best, _bestOfTwo);
        }
    }

    // Called under the lock.
    private void CloseWindow()
    {
        if (_first is null) return;
        var window = RoundTrips * _roundTrip ?? StartTime.GetValueOrDefault();
        window = window < LeastTime ? LeastTime : window > MostTime ? MostTime : window;
        var elapsed = _time.GetElapsedTime(_windowStart);
        if (elapsed < window) return;
        _before = _rate;
        _rate = _bytes / elapsed.TotalSeconds;
        _best = Math.Max(_best, _rate.Value);
        _bestOfTwo = Math.Max(_bestOfTwo, (_rate.Value + (_before ?? 0)) / 2);
        _bytes = 0;
        _windowStart = _time.GetTimestamp();
    }
}
