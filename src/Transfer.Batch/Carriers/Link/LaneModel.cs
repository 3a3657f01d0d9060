namespace Transfer.Batch.Carriers.Link;

/// <summary>How many lanes pay, by the engine's rule for sessions: what is known is judged by a model, and nothing is asked of the user.</summary>
internal static class LaneModel
{
    /// <summary>Most lanes unless the user says otherwise.</summary>
    public const int Most = 8;

    /// <summary>
    /// Most content bytes of an archive. At the end lanes run dry one after the other, and what is left goes through connections whose windows are a part of the link's:
    /// at 100 ms and 100 Mbit/s 100 MB took 11 s and more in archives of 4 MiB, and take less than 10 in those of 2. Smaller ones gain nothing more.
    /// </summary>
    public const int ArchiveBytes = 2 << 20;

    /// <summary>Most lanes that are opened because packing takes all of one: each keeps a processor busy.</summary>
    public const int MostForProcessors = 4;

    // A connection sends some 14 KB in its first round trip and twice as much in each one after that. Until it fills a fast link the time goes by in round trips,
    // and N connections save log2(N) of them; under this much a lane it isn't worth a handshake. More of them overrun a slow link when they begin: eight took 12 s at
    // 100 ms and 100 Mbit/s for what four bring in 9.8, and save 0.2 s of 3 at 1 Gbit/s.
    private static readonly TimeSpan RoundTripOfOne = TimeSpan.FromMilliseconds(25);

    // A lane that waits less than this part of its time for the connection is held up by packing.
    private const double Unhindered = 0.2;

    /// <summary>How many to begin with.</summary>
    /// <param name="roundTrip">As the first connection's handshake took it; null: not known.</param>
    public static int Begin(TimeSpan? roundTrip)
    {
        if (roundTrip is not { } known) return 2;
        return (int)Math.Clamp(Math.Ceiling(known / RoundTripOfOne), 1, Most);
    }

    /// <summary>Whether one more would be busy: what is sent is held up by packing, and there are processors left.</summary>
    /// <param name="lanes">Lanes now.</param>
    /// <param name="processors">Processors here.</param>
    /// <param name="waited">How long a lane has waited for its connection.</param>
    /// <param name="busy">During this time.</param>
    public static bool PaysOneMore(int lanes, int processors, TimeSpan waited, TimeSpan busy) =>
        lanes < Math.Min(processors, MostForProcessors) && waited < busy * Unhindered;
}
