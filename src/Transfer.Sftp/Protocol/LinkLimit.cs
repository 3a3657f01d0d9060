namespace Transfer.Sftp.Protocol;

/// <summary>
/// A limit that fills the network link and no more: further requests would only wait at the server, out of reach of other sessions, and
/// cost its processor: OpenSSH's sshd and sftp-server copy all bytes that wait whenever a packet makes their buffers grow. Twice
/// the bytes that move in a round trip; four times, and never less than before, while that number still grows: each measure is a round
/// old, and the first bytes of a young connection come in many rounds. Called under the budget's lock.
/// </summary>
internal sealed class LinkLimit
{
    private const long First = 512 << 10;
    private const long Least = 256 << 10;
    private const long Most = 32 << 20;
    private const long MostNear = 4 << 20;
    private const double Growing = 1.2;

    // On a shorter path the server's work takes the time.
    private static readonly TimeSpan LeastRound = TimeSpan.FromMilliseconds(5);

    private readonly TimeProvider _time;
    private readonly TimeSpan _round;
    private readonly long _most;
    private long _start;
    private long _moved;
    private double _best;
    private bool _reached;

    /// <param name="time">The clock.</param>
    /// <param name="roundTrip">The round trip time of the path; zero when unknown.</param>
    /// <param name="most">The most bytes in any case.</param>
    public LinkLimit(TimeProvider time, TimeSpan roundTrip, long most = Most)
    {
        _time = time;
        _round = roundTrip > LeastRound ? roundTrip : LeastRound;
        // Near servers answer in bursts, and each burst would pass for the link's rate: all data waits in memory here, and the disk is
        // slow.
        _most = Math.Min(most, roundTrip > LeastRound ? Most : MostNear);
    }

    /// <summary>The most bytes in flight now.</summary>
    public long Bytes { get; private set; } = First;

    /// <summary>Notes that a request had to wait for the limit.</summary>
    public void Reached()
    {
        if (_reached) return;
        // A round begins when there is enough to do: idle time measures nothing.
        _reached = true;
        _moved = 0;
        _start = _time.GetTimestamp();
    }

    /// <summary>Counts bytes that have arrived.</summary>
    public void Moved(int bytes)
    {
        _moved += bytes;
        if (!_reached || _time.GetElapsedTime(_start) is var elapsed && elapsed < _round) return;
        var carried = _moved / elapsed.TotalSeconds * _round.TotalSeconds;
        Bytes = Math.Clamp(carried > _best * Growing ? Math.Max(Bytes, (long)carried * 4) : (long)carried * 2, Least, _most);
        _best = Math.Max(_best, carried);
        _reached = false;
    }
}
