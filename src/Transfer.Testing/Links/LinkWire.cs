namespace Transfer.Testing.Links;

/// <summary>One direction of a link, shared by all connections: the rate, the delay, the byte of the cut.</summary>
internal sealed class LinkWire
{
    private const long UnlimitedBuffer = 16 << 20;
    private const long SmallestBuffer = 256 << 10;
    private const int LargestChunk = 64 << 10;
    private const int SmallestChunk = 1024;

    private readonly Lock _gate = new();
    private readonly LinkClock _clock;
    private readonly long? _rate;
    private long _busyUntil;
    private long _delivered;
    private long _cutAt = long.MaxValue;
    private bool _isCut;

    public LinkWire(LinkOptions options, LinkClock clock)
    {
        _clock = clock;
        _rate = options.BytesPerSecond;
        Delay = options.RoundTrip.Ticks / 2;
        if (_rate is { } rate)
        {
            var onTheWay = (long)(rate * TimeSpan.FromTicks(Delay).TotalSeconds);
            Capacity = onTheWay + (options.BufferBytes ?? Math.Max(SmallestBuffer, rate / 10));
            ChunkSize = (int)Math.Clamp(rate / 100, SmallestChunk, LargestChunk);
        }
        else
        {
            Capacity = options.BufferBytes ?? UnlimitedBuffer;
            ChunkSize = LargestChunk;
        }
    }

    /// <summary>Ticks from one end to the other.</summary>
    public long Delay { get; }

    /// <summary>Bytes one connection may have on the way.</summary>
    public long Capacity { get; }

    /// <summary>Bytes taken at a time: about 10 ms of the rate, so that connections share the rate evenly.</summary>
    public int ChunkSize { get; }

    public long Delivered => Interlocked.Read(ref _delivered);

    /// <summary>Puts bytes on the wire; returns the time when the last one arrives.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="notBefore">The earliest time at which the connection may send.</param>
    public long Send(int bytes, long notBefore)
    {
        var start = Math.Max(_clock.Now, notBefore);
        if (_rate is not { } rate) return start + Delay;
        lock (_gate)
        {
            _busyUntil = Math.Max(_busyUntil, start) + (long)((double)bytes * TimeSpan.TicksPerSecond / rate);
            return _busyUntil + Delay;
        }
    }

    /// <summary>Counts bytes as delivered; returns fewer when the link is cut among them or was before.</summary>
    /// <param name="bytes">The number of bytes.</param>
    /// <param name="cut">Whether the cut is due after these: the caller cuts, then calls <see cref="Restore"/>.</param>
    public int Deliver(int bytes, out bool cut)
    {
        lock (_gate)
        {
            var count = _isCut ? 0 : (int)Math.Min(bytes, _cutAt - _delivered);
            Interlocked.Add(ref _delivered, count);
            cut = !_isCut && _delivered == _cutAt;
            _isCut |= cut;
            return count;
        }
    }

    /// <summary>Lets new connections through after a cut.</summary>
    public void Restore()
    {
        lock (_gate) (_isCut, _cutAt) = (false, long.MaxValue);
    }

    /// <summary>Sets the cut; true when due at once.</summary>
    public bool CutAfter(long bytes)
    {
        lock (_gate)
        {
            _cutAt = bytes == 0 ? long.MaxValue : _delivered + bytes;
            return bytes == 0;
        }
    }
}
