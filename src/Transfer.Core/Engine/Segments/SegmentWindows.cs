namespace Transfer.Engine.Segments;

/// <summary>
/// The bytes under way over the connections on which the segments of one file come, on a long network link. Together they have a bound,
/// of which each connection gets an equal part. Thread-safe.
/// </summary>
/// <remarks>
/// Many connections in slow start (RFC 5681 section 3.1) fill a link unevenly: where the queue grows, senders with HyStart (RFC 9406
/// section 4.2, CUBIC in Linux) leave slow start, each at the rate that it happens to have, and stay there for seconds. The fast ones end
/// early, and the link is idle while the slow ones go on. So the bound rises only with the link: while the connections fill the windows.
/// </remarks>
/// <param name="time">The clock.</param>
/// <param name="roundTrip">The round trip of the path; null: not known, and there is no bound.</param>
internal sealed class SegmentWindows(TimeProvider time, TimeSpan? roundTrip)
{
    /// <summary>The least bound at the start, in bytes: that of one usual connection.</summary>
    internal const long Least = 4 << 20;

    // In a second. Over a longer path growth takes longer, and more is under way at the same rate.
    private const long First = 10 * Least;

    // Windows that are filled bound the rate. Those that are filled by half may do so: on a short path the time that a reader takes counts.
    private const double Filled = 0.85;
    private const double HalfFilled = 0.5;

    // Per round trip: slow start would go from a link that is not full to one that loses packets in one step.
    private const double Growth = 1.25;
    private const double SlowGrowth = 1.03;

    private const int Steps = 8; // in a round trip

    private readonly Lock _gate = new();
    private readonly long[] _moved = new long[Steps]; // in each step of the last round trip
    private readonly double[] _bounds = new double[Steps]; // in each of these
    private readonly TimeSpan _step = (roundTrip ?? TimeSpan.Zero) / Steps;
    private readonly long _began = time.GetTimestamp();
    private long _steps; // since then
    private double _bound = Math.Max(Least, First * (roundTrip ?? TimeSpan.Zero).TotalSeconds);

    /// <summary>Counts bytes that were received.</summary>
    public void Moved(long bytes)
    {
        if (_step == TimeSpan.Zero) return;
        lock (_gate)
        {
            var steps = (long)(time.GetElapsedTime(_began) / _step);
            // Behind a pause of a round trip there is nothing left to forget.
            for (var first = Math.Max(_steps, steps - Steps); first < steps; first++) EndStep(first);
            _steps = steps;
            _moved[steps % Steps] += bytes;
        }
    }

    /// <summary>Returns the window of each of several connections, in bytes; null: as large as it can be.</summary>
    /// <param name="connections">The number of connections.</param>
    public int? Of(int connections)
    {
        if (_step == TimeSpan.Zero || connections < 2) return null;
        lock (_gate) return (int)Math.Min(int.MaxValue, _bound / connections);
    }

    // The last round trip ends with the step. Its bytes were sent into the windows of the round trip before.
    private void EndStep(long step)
    {
        ref var before = ref _bounds[step % Steps];
        var filled = _moved.Sum() / (before > 0 ? before : _bound);
        before = _bound;
        if (filled >= HalfFilled) _bound *= Math.Pow(filled >= Filled ? Growth : SlowGrowth, 1.0 / Steps);
        _moved[(step + 1) % Steps] = 0;
    }
}
