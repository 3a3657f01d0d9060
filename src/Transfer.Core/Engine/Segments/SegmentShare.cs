using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Segments;

/// <summary>
/// The part of a segment that an idle session takes: as much as lets both sessions end together. The connection of the idle session is
/// young: its first bytes take a while, and the rate doubles each round trip, up to that of the fastest segment.
/// </summary>
internal static class SegmentShare
{
    // The end of both is found to a thousandth of the time.
    private const int Halvings = 10;

    /// <summary>Returns the bytes for each idle session, and the time that the segment's own session saves by that.</summary>
    /// <param name="left">The unclaimed bytes of the segment.</param>
    /// <param name="rate">The rate of the segment, in bytes a second.</param>
    /// <param name="fastest">The rate of the fastest segment.</param>
    /// <param name="start">The time until the first bytes of another session.</param>
    /// <param name="roundTrip">The round trip of the path.</param>
    /// <param name="sessions">The number of idle sessions that take a part each.</param>
    public static (long Part, TimeSpan Saved) Of(long left, double rate, double fastest, TimeSpan start, TimeSpan roundTrip,
        int sessions)
    {
        var alone = TimeSpan.FromSeconds(left / Math.Max(1, rate));
        var (soonest, latest) = (TimeSpan.Zero, alone);
        for (var i = 0; i < Halvings; i++)
        {
            var end = (soonest + latest) / 2;
            if (rate * end.TotalSeconds + sessions * Young(fastest, end - start, roundTrip) < left) soonest = end;
            else latest = end;
        }
        return ((long)((left - rate * latest.TotalSeconds) / sessions), alone - latest);
    }

    private static double Young(double fastest, TimeSpan time, TimeSpan roundTrip) =>
        Math.Min(fastest * Math.Max(0, time.TotalSeconds), SlowStart.Bytes(time, roundTrip));
}
