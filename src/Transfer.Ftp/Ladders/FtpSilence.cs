namespace Transfer.Ftp.Ladders;

/// <summary>How long a server may say nothing before a rung is taken for one that it does not have.</summary>
internal static class FtpSilence
{
    private const int RoundTrips = 20;

    private static readonly TimeSpan Least = TimeSpan.FromSeconds(10);

    /// <summary>The time without a reply.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    public static TimeSpan Of(TimeSpan? roundTrip) => roundTrip is { } known && known * RoundTrips > Least ? known * RoundTrips : Least;

    /// <summary>The same within a log-in, half of whose time is left for the next rung.</summary>
    /// <param name="roundTrip">One round trip of the path; null: not known.</param>
    /// <param name="logInTimeout">The limit of the whole log-in; zero or less: none.</param>
    public static TimeSpan Of(TimeSpan? roundTrip, TimeSpan logInTimeout)
    {
        var silence = Of(roundTrip);
        return logInTimeout > TimeSpan.Zero && logInTimeout / 2 < silence ? logInTimeout / 2 : silence;
    }
}
