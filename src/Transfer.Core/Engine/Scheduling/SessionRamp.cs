namespace Transfer.Engine.Scheduling;

/// <summary>
/// The number of sessions that a job may have at the moment. Without a number in the options, the network link decides: on a long link
/// sessions wait most of the time, which costs neither end anything, and a job of seconds has no time for trials, so that all sessions
/// are allowed at once. On a short link sessions share processors and disks: few at first, twice as many as long as that gains, and
/// the former number when there is no gain. Where more are open to small files on a long link, their number doubles, too, for a larger
/// gain, since each is a connection and a log-in for the server. One ramp serves the job's files, and one each large file in segments.
/// Thread-safe.
/// </summary>
internal sealed class SessionRamp
{
    /// <summary>The interval of calls of <see cref="Measure"/> for a job's files; for the segments of a large file half as long.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    /// <summary>The least time for the rest of the work that makes a trial of more sessions pay.</summary>
    public static readonly TimeSpan LeastToTry = TimeSpan.FromSeconds(1);

    // The first sessions, as long as the network link is not known: this number, or half of all sessions.
    private const int Few = 4;

    // The first window passes while added sessions start; the later ones are measured.
    private const int Windows = 4;

    /// <summary>The gain in rate that twice as many sessions must bring, or the former number was enough.</summary>
    internal const double Gain = 1.15;

    /// <summary>The same beyond the usual number, on a long link.</summary>
    internal const double GainBeyond = 4.0 / 3;

    // The cost of a small file besides the bytes, as a number of bytes that a session moves in about that time.
    private const long FileCost = 64 << 10;

    private readonly int _usual;
    private readonly int _beyond;
    private long _work;
    private int _window;
    private double _sum;
    private double _before;
    private int _last;
    private volatile int _allowed;
    private volatile bool _isLong;

    /// <param name="most">The upper bound.</param>
    /// <param name="first">The number before the first measurement.</param>
    /// <param name="beyond">The upper bound for small files on a long link; 0: the same.</param>
    public SessionRamp(int most, int first, int beyond = 0)
    {
        (_usual, _beyond) = (most, Math.Max(most, beyond));
        _last = _allowed = Math.Min(first, most);
        IsFinal = _allowed == most;
    }

    /// <summary>
    /// Returns a ramp for files, with half of the sessions at first: most sessions wait for a reply at any moment, on short links too, and
    /// many small jobs end before a trial.
    /// </summary>
    /// <param name="most">The upper bound.</param>
    /// <param name="beyond">The upper bound for small files on a long link; 0: the same.</param>
    public static SessionRamp ForFiles(int most, int beyond = 0) => new(most, Math.Max(Few, most / 2), beyond);

    /// <summary>The number of sessions allowed now.</summary>
    public int Allowed => _allowed;

    /// <summary>Whether the network link is long: a large file may have more sessions than a job of whole files gets.</summary>
    public bool IsLinkLong => _isLong;

    /// <summary>Whether the number is final.</summary>
    public bool IsFinal { get; private set; }

    /// <summary>Counts content bytes that were moved.</summary>
    public void Moved(long bytes) => Interlocked.Add(ref _work, bytes);

    /// <summary>
    /// Counts a file that begins to move. Ends would come in bunches, as sessions give many files their names at once.
    /// </summary>
    public void FileBegun() => Interlocked.Add(ref _work, FileCost);

    /// <summary>Allows all sessions, since the network link is long; those beyond have to prove their gain.</summary>
    public void AllowAll()
    {
        _isLong = true;
        _last = _allowed = _usual;
        (_window, _sum, _before) = (0, 0, 0);
        IsFinal = _beyond == _usual;
    }

    /// <summary>Measures the work done since the last call. True: <see cref="Allowed"/> has changed.</summary>
    /// <param name="elapsed">The time since the last call.</param>
    /// <param name="busy">Whether all allowed sessions are at work, with work for more of them for <see cref="LeastToTry"/> at
    /// least.</param>
    public bool Measure(TimeSpan elapsed, bool busy)
    {
        var work = Interlocked.Exchange(ref _work, 0);
        if (IsFinal) return false;
        if (!busy)
        {
            (_window, _sum) = (0, 0);
            return false;
        }
        if (_window > 0) _sum += work / Math.Max(0.001, elapsed.TotalSeconds);
        if (++_window < Windows) return false;
        var rate = _sum / (Windows - 1);
        (_window, _sum) = (0, 0);
        if (rate < (_isLong ? GainBeyond : Gain) * _before)
        {
            // No more sessions, and no fewer than were as fast.
            IsFinal = true;
            _allowed = _last;
            return true;
        }
        var most = _isLong ? _beyond : _usual;
        IsFinal = _allowed == most;
        (_before, _last) = (rate, _allowed);
        _allowed = Math.Min(most, 2 * _allowed);
        return !IsFinal;
    }
}
