namespace Transfer.Sessions;

/// <summary>
/// How many sessions there may be: what the options say, or what the server was seen to allow. A lowered limit is tried one
/// higher again after a while, if somebody waits. Not thread-safe: the pool's lock guards it.
/// </summary>
internal sealed class SessionLimit
{
    /// <summary>How long the server is left alone before one more is tried.</summary>
    public static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(60);

    private readonly int _max;
    private readonly TimeProvider _time;
    private int _announced;
    private long _changed;

    public SessionLimit(int max, TimeProvider time)
    {
        _max = max;
        _time = time;
        _announced = max;
        Current = max;
    }

    public int Current { get; private set; }

    /// <summary>How long until one more may be tried; null: the limit is not lowered.</summary>
    public TimeSpan? UntilRetry => Current == _max ? null : RetryAfter - _time.GetElapsedTime(_changed);

    /// <summary>The server allows this many and no more. True: that is news; false: it is known, one more was only tried.</summary>
    public bool Lower(int alive)
    {
        Current = Math.Min(Current, Math.Max(1, alive));
        _changed = _time.GetTimestamp();
        if (Current == _announced) return false;
        _announced = Current;
        return true;
    }

    /// <summary>Raises a lowered limit by one if its time has come.</summary>
    public bool TryRaise()
    {
        if (UntilRetry is not { } left || left > TimeSpan.Zero) return false;
        Current++;
        _changed = _time.GetTimestamp();
        return true;
    }

    /// <summary>This many are open: the server allows at least that.</summary>
    public void Confirm(int open) => _announced = Math.Max(_announced, open);
}
