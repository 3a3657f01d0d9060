namespace Transfer.Pooling;

/// <summary>What a pool's sessions have shown of the server and of the way to it. Called under the pool's lock.</summary>
internal sealed class LinkSight
{
    // A server that has answered something sooner is not worth many sessions for the length of its way.
    private static readonly TimeSpan ShortRoundTrip = TimeSpan.FromMilliseconds(5);

    /// <summary>What the server of the session opened last can do; null before the first.</summary>
    public TransferFeatures? Features { get; private set; }

    /// <summary>How long the last session took to open; zero before the first.</summary>
    public TimeSpan OpeningTime { get; private set; }

    /// <summary>The least that the server has taken to answer something; null: nothing is known of it.</summary>
    public TimeSpan? RoundTrip { get; private set; }

    /// <summary>The server answers so soon that it is its own time, or ours, if opening a session takes long.</summary>
    public bool IsNear => RoundTrip < ShortRoundTrip;

    /// <summary>The last session took long to open, and round trips are why.</summary>
    public bool IsFar => IsLong(OpeningTime);

    /// <summary>An opening takes long by its round trips, as only a server further away does.</summary>
    public bool IsLong(TimeSpan opening) => opening >= SessionPool.LongOpening && !IsNear;

    /// <summary>A session was opened.</summary>
    /// <param name="features">What its server can do.</param>
    /// <param name="took">How long that took.</param>
    public void Opened(TransferFeatures features, TimeSpan took) => (Features, OpeningTime) = (features, took);

    /// <summary>The server took so long to answer something. The least counts.</summary>
    public void Learn(TimeSpan roundTrip)
    {
        if (!(roundTrip >= RoundTrip)) RoundTrip = roundTrip;
    }
}
