namespace Transfer.Sftp.Protocol;

/// <summary>
/// As much as fills the link and not more: what is asked for beyond that only waits at the server, and no other session can take it. Twice what moves in
/// a round trip; four times while that still grows, since each answer tells of the round before.
/// </summary>
internal sealed class LinkLimit : IByteLimit
{
    private const long First = 512 << 10;
    private const long Least = 256 << 10;
    private const long Most = 32 << 20;
    private const long MostNear = 4 << 20;
    private const double Growing = 1.2;

    // On a shorter link it is the server's answering that takes time.
    private static readonly TimeSpan LeastRound = TimeSpan.FromMilliseconds(5);

    private readonly TimeProvider _time;
    private readonly TimeSpan _round;
    private readonly long _most;
    private long _start;
    private long _moved;
    private double _best;
    private bool _reached;

    /// <param name="time">The clock.</param>
    /// <param name="roundTrip">The path's; zero: not known.</param>
    public LinkLimit(TimeProvider time, TimeSpan roundTrip)
    {
        _time = time;
        _round = roundTrip > LeastRound ? roundTrip : LeastRound;
        // Near servers come in bursts, and each would be taken for what the link carries: it all lies in memory here, while the disk is waited for.
        _most = roundTrip > LeastRound ? Most : MostNear;
    }

    public long Bytes { get; private set; } = First;

    public void Reached()
    {
        if (_reached) return;
        // A round begins when there is enough to do: idle time says nothing of the link.
        _reached = true;
        _moved = 0;
        _start = _time.GetTimestamp();
    }

    public void Moved(int bytes)
    {
        _moved += bytes;
        if (!_reached || _time.GetElapsedTime(_start) is var elapsed && elapsed < _round) return;
        var carried = _moved / elapsed.TotalSeconds * _round.TotalSeconds;
        Bytes = Math.Clamp((long)carried * (carried > _best * Growing ? 4 : 2), Least, _most);
        _best = Math.Max(_best, carried);
        _reached = false;
    }
}
