namespace Transfer.Pooling;

/// <summary>
/// The most sessions allowed, by the options or by the server. A later job, after a while, tries one more than a lowered limit if a caller
/// waits; a job that has met the limit does not meet it again. Not thread-safe: the pool's lock guards this.
/// </summary>
internal sealed class SessionLimit
{
    /// <summary>The time before one more session is tried.</summary>
    public static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(60);

    private readonly TimeProvider _time;
    private int _max;
    private int _known = int.MaxValue; // the server's limit
    private int _announced;
    private long _changed;
    private TimeSpan _retryAfter = RetryAfter;
    private bool _isMet; // by the present jobs

    public SessionLimit(int max, TimeProvider time)
    {
        _max = max;
        _time = time;
        _announced = max;
    }

    public int Current => Math.Min(_max, _known);

    /// <summary>The time until one more session may be tried; null: the limit is not lowered, or the present jobs have met it.</summary>
    public TimeSpan? UntilRetry => Current == _max || _isMet ? null : _retryAfter - _time.GetElapsedTime(_changed);

    /// <summary>Allows more or fewer sessions than before, up to the server's limit.</summary>
    public void Allow(int sessions)
    {
        if (_announced == _max && _known >= _max) _announced = Math.Min(sessions, _known);
        _max = sessions;
    }

    /// <summary>Notes that a job begins, which may try one more session than a lowered limit.</summary>
    public void BeginJob() => _isMet = false;

    /// <summary>
    /// Takes a limit that earlier clients found; not fresh: one more may be tried at once. True: the limit is lower than the present one.
    /// </summary>
    public bool Recall(int sessions, bool isFresh)
    {
        if (sessions >= Current)
        {
            // More may be allowed later.
            _known = Math.Min(_known, sessions);
            return false;
        }
        Change(sessions);
        _announced = sessions;
        if (!isFresh) _retryAfter = TimeSpan.Zero;
        return true;
    }

    /// <summary>
    /// Lowers the limit to the number of sessions that the server allows. True: new; false: already known, one more was only tried.
    /// </summary>
    public bool Lower(int alive)
    {
        Change(Math.Min(Current, Math.Max(1, alive)));
        _isMet = true;
        if (Current == _announced) return false;
        _announced = Current;
        return true;
    }

    /// <summary>Raises a lowered limit by one once the waiting time has passed.</summary>
    public bool TryRaise()
    {
        if (UntilRetry is not { } left || left > TimeSpan.Zero) return false;
        Change(Current + 1);
        return true;
    }

    /// <summary>Notes the number of open sessions, which the server allows at least. True: more than known before.</summary>
    public bool Confirm(int open)
    {
        if (open <= _announced) return false;
        _announced = open;
        return true;
    }

    private void Change(int sessions)
    {
        _known = sessions;
        _changed = _time.GetTimestamp();
        _retryAfter = RetryAfter;
    }
}
