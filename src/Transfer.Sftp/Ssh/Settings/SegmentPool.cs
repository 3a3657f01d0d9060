using System.Buffers;

namespace Transfer.Sftp.Ssh.Settings;

/// <summary>
/// The segments in which received data waits for the reader. The shared pool keeps 32 of a size for each processor, and megabytes may wait
/// here: dropped segments would be garbage by the gigabyte, and the collector lets a hundred megabytes lie. Shared by all connections to a
/// host, since a segment in use at one is not needed at another. Thread-safe.
/// </summary>
/// <param name="mostKept">The most segments kept; more may be used.</param>
internal sealed class SegmentPool(int mostKept = SegmentPool.MostKept) : MemoryPool<byte>
{
    public const int SegmentSize = 64 * 1024;

    private const int MostKept = (64 << 20) / SegmentSize;
    private const int FewKept = (2 << 20) / SegmentSize;

    private readonly Lock _gate = new();
    private readonly Stack<Segment> _kept = new();

    public override int MaxBufferSize => SegmentSize;

    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, SegmentSize);
        lock (_gate)
        {
            if (_kept.TryPop(out var kept)) return kept;
        }
        return new Segment(this);
    }

    /// <summary>Drops most kept segments: nothing is being received now.</summary>
    public void Trim()
    {
        lock (_gate)
        {
            while (_kept.Count > FewKept) _kept.Pop();
            _kept.TrimExcess();
        }
    }

    protected override void Dispose(bool disposing)
    {
        // The collector takes the pool with the connection.
    }

    private void Return(Segment segment)
    {
        lock (_gate)
        {
            if (_kept.Count < mostKept) _kept.Push(segment);
        }
    }

    private sealed class Segment(SegmentPool pool) : IMemoryOwner<byte>
    {
        public Memory<byte> Memory { get; } = GC.AllocateUninitializedArray<byte>(SegmentSize);

        public void Dispose() => pool.Return(this);
    }
}
