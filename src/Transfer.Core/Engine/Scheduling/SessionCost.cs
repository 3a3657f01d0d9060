namespace Transfer.Engine.Scheduling;

/// <summary>
/// The time that opening one more session takes, as measured at the first one: round trips, which pass side by side for all openings, and
/// the time beyond them, in which the server works (the hash of a password above all).
/// </summary>
/// <param name="RoundTrip">The round trip of the path.</param>
/// <param name="Flights">The round trips of one opening.</param>
/// <param name="Beyond">The server's own time for one opening.</param>
internal readonly record struct SessionCost(TimeSpan RoundTrip, TimeSpan Flights, TimeSpan Beyond)
{
    // As long as nothing is known: an opening and the work are then compared in round trips, so that the number hardly matters.
    private static readonly TimeSpan Assumed = TimeSpan.FromMilliseconds(100);

    // A channel is opened, and begins its subsystem.
    private const int ChannelRoundTrips = 2;

    // Openings share the processors of the server: this number is a small server's.
    private const int Processors = 2;

    /// <summary>Returns the cost of a log-in.</summary>
    /// <param name="traits">The protocol.</param>
    /// <param name="opening">The time that a session took to open; null: none was opened yet.</param>
    /// <param name="roundTrip">The round trip; null: not known.</param>
    public static SessionCost OfLogIn(SessionTraits traits, TimeSpan? opening, TimeSpan? roundTrip)
    {
        if (opening is not { } took) return Of(roundTrip ?? Assumed, traits.LogInRoundTrips, TimeSpan.Zero);
        if (roundTrip is not { } known) return Of(took / traits.LogInRoundTrips, traits.LogInRoundTrips, TimeSpan.Zero);
        var flights = known * traits.LogInRoundTrips;
        return took <= flights ? new(known, took, TimeSpan.Zero) : new(known, flights, took - flights);
    }

    /// <summary>Returns the cost of a session that shares a log-in.</summary>
    public SessionCost OfChannel() => Of(RoundTrip, ChannelRoundTrips, TimeSpan.Zero);

    /// <summary>The time after which the server is done with one more opening.</summary>
    public TimeSpan Interval => Beyond / Processors;

    /// <summary>Returns the time until that many sessions are open, of which one is there already or opened all the same.</summary>
    public TimeSpan Until(int sessions) => Flights + Interval * (sessions - 1);

    private static SessionCost Of(TimeSpan roundTrip, int flights, TimeSpan beyond) => new(roundTrip, roundTrip * flights, beyond);
}
