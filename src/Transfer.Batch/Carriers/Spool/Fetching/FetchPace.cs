namespace Transfer.Batch.Carriers.Spool.Fetching;

/// <summary>How often a fetcher lists a job that is being sent, and stores a confirmation. Not thread-safe.</summary>
internal sealed class FetchPace
{
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(200);

    // A confirmation costs round trips, and before the last one serves only to show the recipient's progress.
    private static readonly TimeSpan ConfirmationInterval = TimeSpan.FromSeconds(10);

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

    /// <summary>Whether a confirmation is due again.</summary>
    public bool IsConfirmationDue => _time.GetElapsedTime(_saidAt) >= ConfirmationInterval;

    /// <summary>A look begins.</summary>
    public long Begin() => _time.GetTimestamp();

    /// <summary>Ends a look at the store.</summary>
    public void EndLook(long began)
    {
        var took = _time.GetElapsedTime(began);
        Pause = took < LeastPause ? LeastPause : took;
        if (Pause > _most) Pause = _most;
    }

    /// <summary>A confirmation is in the store.</summary>
    public void MarkConfirmed() => _saidAt = _time.GetTimestamp();
}
