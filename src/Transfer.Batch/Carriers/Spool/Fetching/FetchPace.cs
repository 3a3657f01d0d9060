namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>How often a fetcher asks the store what there is of a job that is being sent, and tells it what has come. Not thread-safe.</summary>
internal sealed class FetchPace
{
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(200);

    // A confirmation costs round trips, and what it is read for, before the last one, is to see how far somebody is.
    private static readonly TimeSpan SaysEvery = TimeSpan.FromSeconds(10);

    private readonly TimeSpan _most;
    private readonly TimeProvider _time;
    private long _saidAt;

    /// <param name="most">The longest pause.</param>
    /// <param name="time">The clock.</param>
    public FetchPace(TimeSpan most, TimeProvider time)
    {
        _most = most;
        _time = time;
        Pause = most;
        _saidAt = time.GetTimestamp();
    }

    /// <summary>Between two looks: as long as the last one took, so that no more than half of the time is spent with looking.</summary>
    public TimeSpan Pause { get; private set; }

    /// <summary>It is a while since the last confirmation.</summary>
    public bool IsTimeToSay => _time.GetElapsedTime(_saidAt) >= SaysEvery;

    /// <summary>A look begins.</summary>
    public long Begin() => _time.GetTimestamp();

    /// <summary>It has ended.</summary>
    public void Looked(long began)
    {
        var took = _time.GetElapsedTime(began);
        Pause = took < LeastPause ? LeastPause : took;
        if (Pause > _most) Pause = _most;
    }

    /// <summary>A confirmation is in the store.</summary>
    public void Said() => _saidAt = _time.GetTimestamp();
}
