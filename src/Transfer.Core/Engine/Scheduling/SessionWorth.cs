using Transfer.Engine.Segments;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// The number of sessions that pay for the work known so far: each has a share that takes at least as long as opening that many sessions
/// takes. A session with a smaller share would come when the rest is nearly done, and cost the server a log-in for that.
/// </summary>
internal static class SessionWorth
{
    // The round trips of a small file, with its check and its name.
    private const int FileRoundTrips = 3;

    // The time that a small file takes both ends besides.
    private static readonly TimeSpan FileTime = TimeSpan.FromMilliseconds(0.2);

    // One connection carries no more than the system's send buffer in a round trip, and no more than a processor can encrypt.
    private const double WindowBytes = 4 << 20;
    private const double BytesPerSecond = 500e6;

    // Among numbers of sessions that differ little in time, the largest is taken: where packets are lost, which is not known before, the
    // rate is in proportion to the number. With 10 sessions instead of 16, 80 MiB at 100 ms and 0.2 % loss took 8 s instead of 6.
    private const double Generosity = 1.25;

    // The least bytes that are worth a session.
    private const long LeastShare = 1 << 20;

    /// <summary>Returns the number of sessions that pay for small files, and large ones that each session moves alone.</summary>
    /// <param name="cost">The cost of a further session.</param>
    /// <param name="filesAtOnce">The number of small files that one session has under way at once.</param>
    /// <param name="files">The number of files.</param>
    /// <param name="bytes">The bytes of the files, as far as known.</param>
    /// <param name="most">The upper bound.</param>
    public static int ForFiles(SessionCost cost, int filesAtOnce, long files, long bytes, int most)
    {
        var alone = files * (cost.RoundTrip * FileRoundTrips / filesAtOnce + FileTime) + Moving(cost, bytes);
        // One session has that many files, or those bytes, under way anyway.
        var shares = Math.Min(files, Math.Max((double)files / filesAtOnce, (double)bytes / LeastShare));
        return Paying(cost, alone, (int)Math.Min(most, Math.Ceiling(shares)));
    }

    /// <summary>Returns the number of sessions that pay for the segments of one large file on a long link.</summary>
    /// <param name="cost">The cost of a further session.</param>
    /// <param name="length">The length of the file.</param>
    /// <param name="most">The upper bound.</param>
    public static int ForSegments(SessionCost cost, long length, int most)
    {
        if (length < SegmentedFile.LeastLength) return 1;
        var alone = Beginning(cost, length);
        var best = alone;
        most = (int)Math.Min(most, length / LeastShare);
        for (var one = 2; one <= most; one++)
        {
            if (With(one) < best) best = With(one);
        }
        for (var one = most; one > 1; one--)
        {
            if (With(one) is var time && time < alone && time <= best * Generosity) return one;
        }
        return 1;

        TimeSpan With(int number) => cost.Until(number) + Beginning(cost, length / number);
    }

    /// <summary>Returns the number of sessions that pay for requests of which each session has a number under way.</summary>
    /// <param name="cost">The cost of a further session.</param>
    /// <param name="flights">The round trips that the requests take on one session.</param>
    /// <param name="most">The upper bound.</param>
    public static int ForFlights(SessionCost cost, long flights, int most) => Paying(cost, cost.RoundTrip * flights, most);

    // Of work that one session alone does in a time, and that divides at will.
    private static int Paying(SessionCost cost, TimeSpan alone, int most)
    {
        var sessions = 1;
        while (sessions < most && alone / (sessions + 1) >= cost.Until(sessions + 1)) sessions++;
        return sessions;
    }

    private static TimeSpan Moving(SessionCost cost, double bytes)
    {
        var (window, processors) = (cost.RoundTrip * (bytes / WindowBytes), TimeSpan.FromSeconds(bytes / BytesPerSecond));
        return window > processors ? window : processors;
    }

    // With the round trips of a young connection, whose rate doubles.
    private static TimeSpan Beginning(SessionCost cost, double bytes) =>
        SlowStart.Time(Math.Min(bytes, WindowBytes), cost.RoundTrip) + Moving(cost, bytes);
}
