namespace Transfer.Ftp.Ladders;

/// <summary>The time without a reply after which a server is taken not to have a rung.</summary>
internal static class FtpSilence
{
    private const int RoundTrips = 20;

    private static readonly TimeSpan Least = TimeSpan.FromSeconds(10);

    /// <summary>The time without a reply.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    public static TimeSpan Of(TimeSpan? roundTrip) => Of(roundTrip, RoundTrips, Least);

    /// <summary>A number of round trips, and not less than a time.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    /// <param name="roundTrips">The number.</param>
    /// <param name="least">The least time.</param>
    public static TimeSpan Of(TimeSpan? roundTrip, int roundTrips, TimeSpan least) =>
        roundTrip is { } known && known * roundTrips > least ? known * roundTrips : least;

    /// <summary>The same within a time limit, of which half is left for the next rung.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    /// <param name="limit">The limit; zero or less: none.</param>
    public static TimeSpan Of(TimeSpan? roundTrip, TimeSpan limit)
    {
        var silence = Of(roundTrip);
        return limit > TimeSpan.Zero && limit / 2 < silence ? limit / 2 : silence;
    }
}
