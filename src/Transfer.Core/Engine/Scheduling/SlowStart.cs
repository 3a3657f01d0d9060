namespace Transfer.Engine.Scheduling;

/// <summary>
/// The first seconds of a TCP connection: ten packets in the first round trip (RFC 6928), and twice as many in each further one, until the
/// window or the network link is full (RFC 5681, section 3.1).
/// </summary>
internal static class SlowStart
{
    private const double FirstBytes = 14_600;

    // Doublings beyond any link's window.
    private const double Most = 40;

    /// <summary>Returns the bytes that a connection has carried after a time.</summary>
    /// <param name="time">The time since the first bytes were sent.</param>
    /// <param name="roundTrip">The round trip of the path.</param>
    public static double Bytes(TimeSpan time, TimeSpan roundTrip) => time <= TimeSpan.Zero ? 0
        : FirstBytes * (Math.Pow(2, roundTrip > TimeSpan.Zero ? Math.Min(Most, time / roundTrip) : Most) - 1);

    /// <summary>Returns the time until a connection has carried that many bytes.</summary>
    public static TimeSpan Time(double bytes, TimeSpan roundTrip) => roundTrip * Math.Log2(1 + bytes / FirstBytes);
}
