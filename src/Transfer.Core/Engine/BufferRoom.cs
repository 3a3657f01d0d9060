namespace Transfer.Engine;

/// <summary>Bytes that may be in memory. Nobody waits for them: what finds no room does with little, or begins later. Thread-safe.</summary>
internal sealed class BufferRoom
{
    private readonly Lock _gate = new();
    private long _used;
    private long _peak;

    public BufferRoom(long bytes) => Bytes = bytes;

    /// <summary>All there are.</summary>
    public long Bytes { get; }

    /// <summary>Bytes that are taken, and the most that have been.</summary>
    public (long Now, long Peak) Used
    {
        get { lock (_gate) return (_used, _peak); }
    }

    /// <summary>So much, or null.</summary>
    public BufferLease? TryTake(int bytes)
    {
        lock (_gate)
        {
            if (_used + bytes > Bytes) return null;
            _used += bytes;
            _peak = Math.Max(_peak, _used);
            return new BufferLease(bytes, this);
        }
    }

    /// <summary>As much as there is, by halves from <paramref name="most"/> on. Without any it is <paramref name="least"/> all the same: nobody is to wait for ever.</summary>
    public BufferLease Take(int most, int least)
    {
        for (var bytes = most; bytes >= least; bytes /= 2)
        {
            if (TryTake(bytes) is { } lease) return lease;
        }
        return new BufferLease(least);
    }

    /// <summary>What a lease had.</summary>
    public void Return(long bytes)
    {
        lock (_gate) _used -= bytes;
    }
}
