namespace Transfer.Engine.Scheduling;

/// <summary>
/// How many sessions a job may have at the moment. Where nobody has said a number, the link says it: on a long one they wait most of the time, which costs nobody
/// anything, and a job of seconds has no time to try, so there are as many as there may be at once. On a short one it is processors and disks that they share: there
/// are few at first, twice as many as long as that brings something, and as many as before when it did not. There is one for the job's files, and one for each large
/// file that is moved in segments. Thread-safe.
/// </summary>
internal sealed class SessionRamp
{
    /// <summary>How often <see cref="Look"/> is called for a job's files; for the segments of a large one twice as often.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(200);

    /// <summary>How long the rest must take, so that it pays to find out whether more sessions are faster.</summary>
    public static readonly TimeSpan LeastToTry = TimeSpan.FromSeconds(1);

    // The first ones, as long as the link is not known: so many, or half of them all.
    private const int Few = 4;

    // One window passes while those that were added get going; the others are measured.
    private const int Windows = 4;

    /// <summary>So much more must come of twice as many sessions, or there were enough.</summary>
    internal const double Gain = 1.15;

    // What a small file is besides its bytes, in bytes: about as long as these take where a session moves both.
    private const long FileCost = 64 << 10;

    private readonly int _most;
    private long _work;
    private int _window;
    private double _sum;
    private double _before;
    private int _last;
    private volatile int _allowed;
    private volatile bool _isLong;

    /// <param name="most">Never more.</param>
    /// <param name="first">As long as nothing was measured.</param>
    public SessionRamp(int most, int first)
    {
        _most = most;
        _last = _allowed = Math.Min(first, most);
        IsOver = _allowed == most;
    }

    /// <summary>For files: half of the sessions at first. Most of them wait for an answer at any moment, on short links too, and many small jobs are over before more could be tried.</summary>
    public static SessionRamp ForFiles(int most) => new(most, Math.Max(Few, most / 2));

    /// <summary>Sessions that there may be now.</summary>
    public int Allowed => _allowed;

    /// <summary>The link is a long one: a large file may have more of them than whole files get by themselves.</summary>
    public bool IsLinkLong => _isLong;

    /// <summary>It stays as it is.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Content bytes were moved.</summary>
    public void Moved(long bytes) => Interlocked.Add(ref _work, bytes);

    /// <summary>A file has ended.</summary>
    public void FileEnded() => Interlocked.Add(ref _work, FileCost);

    /// <summary>The link turns out to be long.</summary>
    public void OpenUp()
    {
        _isLong = true;
        _allowed = _most;
        IsOver = true;
    }

    /// <summary>Looks at what was done since the last time. True: <see cref="Allowed"/> has changed.</summary>
    /// <param name="elapsed">The time since then.</param>
    /// <param name="busy">As many as are allowed are at work, and there is work for more, for <see cref="LeastToTry"/> at least.</param>
    public bool Look(TimeSpan elapsed, bool busy)
    {
        var work = Interlocked.Exchange(ref _work, 0);
        if (IsOver) return false;
        if (!busy)
        {
            (_window, _sum) = (0, 0);
            return false;
        }
        if (_window > 0) _sum += work / Math.Max(0.001, elapsed.TotalSeconds);
        if (++_window < Windows) return false;
        var rate = _sum / (Windows - 1);
        (_window, _sum) = (0, 0);
        if (rate < Gain * _before)
        {
            // No more, and no fewer than were as fast.
            IsOver = true;
            _allowed = _last;
            return true;
        }
        IsOver = _allowed == _most;
        (_before, _last) = (rate, _allowed);
        _allowed = Math.Min(_most, 2 * _allowed);
        return !IsOver;
    }
}
