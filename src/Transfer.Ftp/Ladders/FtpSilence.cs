namespace Transfer.Ftp.Ladders;

/// <summary>The time without a reply after which a server is taken not to have a rung.</summary>
internal static class FtpSilence
{
    private const int RoundTrips = 20;

    private static readonly TimeSpan Least = TimeSpan.FromSeconds(10);

    /// <summary>The time without a reply.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    public static TimeSpan Of(TimeSpan? roundTrip) => roundTrip is { } known && known * RoundTrips > Least ? known * RoundTrips : Least;

    /// <summary>The same within a log-in: half of the time is left for the next rung.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    /// <param name="logInTimeout">The limit of the whole log-in; zero or less: none.</param>
    public static TimeSpan Of(TimeSpan? roundTrip, TimeSpan logInTimeout)
    {
        var silence = Of(roundTrip);
        return logInTimeout > TimeSpan.Zero && logInTimeout / 2 < silence ? logInTimeout / 2 : silence;
    }
}
