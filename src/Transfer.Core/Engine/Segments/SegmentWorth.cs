using Transfer.Engine.Scheduling;

namespace Transfer.Engine.Segments;

/// <summary>
/// The worth of parts: whether an idle session that takes some of a segment would save time, by the rates of the segments under way and
/// the time that a session needs to get going.
/// </summary>
/// <param name="open">The segments under way.</param>
/// <param name="roundTrip">The round trip of the path; null: not known.</param>
/// <param name="isAsked">Whether the caller set the number of segments, so that each that is possible is worth it.</param>
/// <param name="keepsConnections">
/// Whether a session moves all of its segments over one connection, which is no longer young after the first.
/// </param>
internal sealed class SegmentWorth(IReadOnlyList<FileSegment> open, TimeSpan? roundTrip, bool isAsked, bool keepsConnections)
{
    /// <summary>The least part while the rate is not known.</summary>
    public const long LeastShare = 1 << 20;

    /// <summary>The least part ever.</summary>
    public const long LeastSplit = 64 << 10;

    // The least time for the rest that makes a further session pay, as a multiple of that session's start.
    private const double Worthwhile = 2;

    // The least time for the rest of a segment that is worth a young connection on a full link, as a multiple of the file's.
    private const double Behind = 2;

    // A lost packet is sent again after a round trip or two. A longer wait is for a timer of the peer, which doubles each time.
    private const double Stall = 4;
    private static readonly TimeSpan LeastStall = TimeSpan.FromMilliseconds(500);

    private TimeSpan? _start;

    /// <summary>Whether the network link is long.</summary>
    public bool IsLong { get; set; }

    /// <summary>Whether a part that is given away begins a young connection on a long network link.</summary>
    public bool BeginsYoung => IsLong && !isAsked && !keepsConnections;

    /// <summary>
    /// The time without a byte after which an idle session would finish the rest sooner; null: no session has started yet.
    /// </summary>
    public TimeSpan? StallTime
    {
        get
        {
            var stall = Start * Stall;
            if (stall == TimeSpan.Zero) return null;
            return stall < LeastStall ? LeastStall : stall;
        }
    }

    /// <summary>The rate in bytes a second, as far as known, and the number of unclaimed bytes.</summary>
    public (double Rate, long Left) Together()
    {
        var (rate, left) = (0d, 0L);
        foreach (var segment in open) (rate, left) = (rate + (segment.Pace.Rate ?? 0), left + segment.Unclaimed);
        return (rate, left);
    }

    /// <summary>Whether the rate of all segments grows as that of young connections does; true also when most have no rate yet.</summary>
    public bool IsGrowing
    {
        get
        {
            var (known, now, before) = (0, 0d, 0d);
            foreach (var segment in open)
            {
                if (segment.Pace.Rate is not { } rate) continue;
                (known, now, before) = (known + 1, now + rate, before + segment.Pace.RateBefore);
            }
            return 2 * known <= open.Count || now > SegmentPace.Growth * before;
        }
    }

    /// <summary>Learns the time that a session needed to get going from a segment that ends.</summary>
    public void LearnStart(FileSegment segment)
    {
        // The shortest: a packet lost at the beginning proves nothing about the next one.
        if (segment.Pace.Start is { } start && !(start > _start)) _start = start;
    }

    /// <summary>Returns the least seconds of rest that pay for one more session.</summary>
    /// <param name="opening">The time that opening a session takes.</param>
    public double CostOf(TimeSpan opening) => Math.Max(0.001, Worthwhile * (Start + opening).TotalSeconds);

    /// <summary>
    /// Returns whether idle sessions would move the missing bytes of a segment in half of the time that the present session needs, though
    /// bytes under way come twice then: on a long network link, where a connection that has lost packets may be far slower than when the
    /// last bytes were requested.
    /// </summary>
    /// <param name="bytes">The missing bytes.</param>
    /// <param name="left">The time that the session needs for them.</param>
    /// <param name="idle">The number of idle sessions.</param>
    public bool IsFasterDivided(long bytes, TimeSpan left, int idle)
    {
        if (!IsLong) return false;
        var (young, shared) = (SlowStart.Time((double)bytes / idle, roundTrip ?? Start), left / idle);
        return left > Worthwhile * (Start + (young > shared ? young : shared));
    }

    /// <summary>
    /// Returns the seconds that the session of a segment needs for its unclaimed bytes. Segments that have not begun will be no faster than
    /// those that have, and count as the slowest.
    /// </summary>
    public static double SecondsOf(FileSegment segment) => segment.Unclaimed / Math.Max(1, segment.Pace.BetterRate ?? 1);

    /// <summary>Returns whether idle sessions would save time with a part of a segment.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="takers">The number of idle sessions that take a part at once; zero: one, where the link may be full.</param>
    /// <param name="fullFor">The seconds of the file's rest over a network link that is known to be full; null: it is not.</param>
    public bool IsWorthSharing(FileSegment segment, int takers, double? fullFor)
    {
        if (IsStuck(segment)) return segment.Unclaimed >= LeastSplit;
        // The session of a segment far behind would still be at work long after all others, which leaves the link to it alone.
        if (takers == 0 && SecondsOf(segment) <= Behind * fullFor) return false;
        if (IsLong && !isAsked && !segment.Pace.IsSettled && (takers == 0 || segment.Pace.Outlook is null)) return false;
        return PartForIdle(segment, 1) is not null;
    }

    /// <summary>Returns the bytes for one of several idle sessions: all of a segment that stands still. Null: not worth a start.</summary>
    public long? PartFor(FileSegment segment, int takers) =>
        IsStuck(segment) ? segment.Unclaimed
        : PartForIdle(segment, Math.Max(1, takers)) ?? PartForIdle(segment, 1);

    /// <summary>Returns the bytes for each of several sessions that come; null: too few, or not worth a start.</summary>
    public long? PartOf(FileSegment segment, int sessions) => PartOf(segment, sessions, segment.Pace.BetterRate, roundTrip ?? Start);

    // A rate that grows is expected to go on growing.
    private long? PartForIdle(FileSegment segment, int sessions) => PartOf(segment, sessions,
        segment.Pace.Outlook ?? segment.Pace.BetterRate, keepsConnections ? TimeSpan.Zero : roundTrip ?? Start);

    // The connections of the sessions double their rate in each round trip; zero: they have reached theirs.
    private long? PartOf(FileSegment segment, int sessions, double? expected, TimeSpan doubling)
    {
        var (left, start) = (segment.Unclaimed, Start);
        var (part, saved) = expected is { } rate
            ? SegmentShare.Of(left, rate, Math.Max(rate, Fastest), start, doubling, sessions)
            : (left / (sessions + 1), TimeSpan.MaxValue);
        return part >= LeastOf(segment.Pace.Rate) && (isAsked || saved >= start) ? part : null;
    }

    /// <summary>Returns the number of sessions that could each have a part of a segment's rest that pays.</summary>
    /// <param name="segment">The segment.</param>
    /// <param name="cost">The least seconds of rest that pay for one more session.</param>
    public long Shares(FileSegment segment, double cost)
    {
        var (left, rate) = (segment.Unclaimed, segment.Pace.Rate);
        if (rate is null && !isAsked) return 0;
        var shares = left / LeastOf(rate);
        if (rate is > 0) shares = (long)Math.Min(shares, left / rate.Value / cost);
        return Math.Max(0, shares - 1);
    }

    // The time from a take to the first bytes, as far as seen with this file.
    private TimeSpan Start
    {
        get
        {
            foreach (var segment in open) LearnStart(segment);
            return _start ?? TimeSpan.Zero;
        }
    }

    private double Fastest
    {
        get
        {
            var fastest = 0d;
            foreach (var segment in open) fastest = Math.Max(fastest, segment.Pace.Rate ?? 0);
            return fastest;
        }
    }

    // The segment has been far faster; or no byte has come yet, though another segment started far sooner: the session still waits for
    // bytes requested earlier.
    private bool IsStuck(FileSegment segment) => segment.Pace.IsStalled || segment.Pace.Waited > StallTime;

    private static long LeastOf(double? rate) => rate is null ? LeastShare : LeastSplit;
}
