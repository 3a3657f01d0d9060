namespace Transfer.Sftp.Protocol;

/// <summary>
/// How many bytes may be on their way. It doubles as long as that makes things faster: after each round in which it was reached, and
/// in which as much moved as it allows, the rate is compared with the best so far. Not thread-safe.
/// </summary>
internal sealed class AdaptiveLimit
{
    private const double WorthIt = 1.2;
    private const int RoundsWithout = 3;

    private readonly TimeProvider _time;
    private readonly long _most;
    private long _start;
    private long _moved;
    private double _best;
    private int _without;
    private bool _reached;

    public AdaptiveLimit(TimeProvider time, long bytes, long most)
    {
        _time = time;
        _most = most;
        Bytes = bytes;
        _start = time.GetTimestamp();
    }

    public long Bytes { get; private set; }

    /// <summary>Somebody had to wait.</summary>
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
        if (!_reached || _moved < Bytes || Bytes >= _most || _without >= RoundsWithout) return;
        var seconds = _time.GetElapsedTime(_start).TotalSeconds;
        var rate = seconds > 0 ? _moved / seconds : double.MaxValue;
        if (rate >= _best * WorthIt)
        {
            _best = rate;
            _without = 0;
            Bytes = Math.Min(_most, Bytes * 2);
        }
        else
        {
            _without++;
        }
        _reached = false;
    }
}
