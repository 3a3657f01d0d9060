namespace Transfer.Batch.Carriers.Link;

/// <summary>The number of lanes that pays, by the engine's rule for sessions: a model judges known facts, without a setting of the
/// user.</summary>
internal static class LaneModel
{
    /// <summary>The most lanes unless the user sets another limit.</summary>
    public const int Most = 8;

    /// <summary>
    /// The most content bytes of an archive. At the end lanes run dry one after the other, and the rest goes through connections whose
    /// windows are a part of the link's:
    /// at 100 ms and 100 Mbit/s 100 MB took 11 s and more in archives of 4 MiB, and take less than 10 in those of 2. Smaller ones gain
    /// nothing more.
    /// </summary>
    public const int ArchiveBytes = 2 << 20;

    /// <summary>The most lanes that are opened because packing limits one: each keeps a processor busy.</summary>
    public const int MostForProcessors = 4;

    // A connection sends some 14 KB in its first round trip and twice as much in each later one. Until a fast link is full the time goes by
    // in round trips, and N connections save log2(N) of them; below this round-trip time for a lane a handshake costs more. More lanes
    // overrun a slow link in the beginning: eight took 12 s at 100 ms and 100 Mbit/s for a job that four finish in 9.8, and save 0.2 s of 3
    // at 1 Gbit/s.
    private static readonly TimeSpan RoundTripOfOne = TimeSpan.FromMilliseconds(25);

    // A lane that waits less than this part of the time for the connection is limited by packing.
    private const double Unhindered = 0.2;

    /// <summary>Returns the number of lanes at the beginning.</summary>
    /// <param name="roundTrip">The round-trip time of the first connection's handshake; null: unknown.</param>
    public static int Begin(TimeSpan? roundTrip)
    {
        if (roundTrip is not { } known) return 2;
        return (int)Math.Clamp(Math.Ceiling(known / RoundTripOfOne), 1, Most);
    }

    /// <summary>Whether another lane would be busy: sending is limited by packing, and there are free processors.</summary>
    /// <param name="lanes">The number of lanes now.</param>
    /// <param name="processors">The number of processors here.</param>
    /// <param name="waited">How long a lane has waited for the connection.</param>
    /// <param name="busy">The time that this was part of.</param>
    public static bool PaysOneMore(int lanes, int processors, TimeSpan waited, TimeSpan busy) =>
        lanes < Math.Min(processors, MostForProcessors) && waited < busy * Unhindered;
}
