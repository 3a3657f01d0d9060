namespace Transfer.Pooling;

/// <summary>The facts that a pool's sessions have shown of the server and the network path. Called under the pool's lock.</summary>
internal sealed class ServerDistance
{
    // With a shorter round trip, the distance is no reason for many sessions.
    private static readonly TimeSpan ShortRoundTrip = TimeSpan.FromMilliseconds(5);

    /// <summary>The features of the server, as the last session has found them; null before the first.</summary>
    public TransferFeatures? Features { get; set; }

    /// <summary>The time that the last session took to open; zero before the first.</summary>
    public TimeSpan OpeningTime { get; private set; }

    /// <summary>The least time that a session took to open; null before the first.</summary>
    public TimeSpan? LeastOpeningTime { get; private set; }

    /// <summary>The shortest round trip seen; null: none yet.</summary>
    public TimeSpan? RoundTrip { get; private set; }

    /// <summary>Whether the server answers so fast that a long opening must be due to the server or this machine.</summary>
    public bool IsNear => RoundTrip < ShortRoundTrip;

    /// <summary>Whether the last session took long to open because of round trips.</summary>
    public bool IsFar => IsLong(OpeningTime);

    /// <summary>Whether an opening takes long because of round trips, as only with a distant server.</summary>
    public bool IsLong(TimeSpan opening) => opening >= SessionPool.LongOpening && !IsNear;

    /// <summary>Notes an opened session.</summary>
    /// <param name="features">The features of the server.</param>
    /// <param name="took">The time of the opening.</param>
    public void Opened(TransferFeatures features, TimeSpan took)
    {
        (Features, OpeningTime) = (features, took);
        if (!(took >= LeastOpeningTime)) LeastOpeningTime = took;
    }

    /// <summary>Notes a round trip. The shortest counts.</summary>
    public void Learn(TimeSpan roundTrip)
    {
        if (!(roundTrip >= RoundTrip)) RoundTrip = roundTrip;
    }
}
