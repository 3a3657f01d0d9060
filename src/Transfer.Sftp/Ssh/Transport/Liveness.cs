namespace Transfer.Sftp.Ssh.Transport;

/// <summary>
/// Watches a silent peer: after half the limit without a byte a sign of life is requested; after the whole limit the peer is given up. One
/// timer for the connection's life; a sign of life costs one timestamp. Time without a read (a caller decides about a host key) does not
/// count.
/// </summary>
internal sealed class Liveness : IDisposable
{
    private readonly TimeProvider _time;
    private readonly TimeSpan _limit;
    private readonly Action _ask;
    private readonly Action _giveUp;
    private readonly ITimer? _timer;
    private long _last;
    private bool _reading;
    private bool _asked;

    /// <summary>A limit of zero or less, or infinite, never runs out.</summary>
    public Liveness(TimeProvider time, TimeSpan limit, Action ask, Action giveUp)
    {
        _time = time;
        _limit = limit;
        _ask = ask;
        _giveUp = giveUp;
        _last = time.GetTimestamp();
        if (limit <= TimeSpan.Zero) return;
        _timer = time.CreateTimer(static watch => ((Liveness)watch!).Check(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        Arm(limit / 2);
    }

    /// <summary>A read of the socket begins.</summary>
    public void BeginRead()
    {
        Volatile.Write(ref _last, _time.GetTimestamp());
        Volatile.Write(ref _reading, true);
    }

    /// <summary>The read has brought bytes, or failed.</summary>
    public void EndRead()
    {
        Volatile.Write(ref _reading, false);
        Volatile.Write(ref _asked, false);
    }

    public void Dispose() => _timer?.Dispose();

    private void Check()
    {
        if (!Volatile.Read(ref _reading))
        {
            Arm(_limit / 2);
            return;
        }

        var silent = _time.GetElapsedTime(Volatile.Read(ref _last));
        if (silent >= _limit)
        {
            _giveUp();
            return;
        }

        if (silent >= _limit / 2)
        {
            if (!Volatile.Read(ref _asked))
            {
                Volatile.Write(ref _asked, true);
                _ask();
            }

            Arm(_limit - silent);
        }
        else
        {
            Arm((_limit / 2) - silent);
        }
    }

    // Timers count in whole milliseconds.
    private void Arm(TimeSpan due) =>
        _timer?.Change(due < TimeSpan.FromMilliseconds(1) ? TimeSpan.FromMilliseconds(1) : due, Timeout.InfiniteTimeSpan);
}
