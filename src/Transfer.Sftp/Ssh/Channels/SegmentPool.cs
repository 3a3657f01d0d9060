using System.Buffers;

namespace Transfer.Sftp.Ssh.Channels;

/// <summary>
/// The segments in which what was received waits for its reader. The shared pool keeps 32 of a size for each processor, and a window's worth may be waiting
/// here: these are kept for one connection and its channels. Thread-safe.
/// </summary>
internal sealed class SegmentPool(int mostKept) : MemoryPool<byte>
{
    public const int SegmentSize = 64 * 1024;

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

    protected override void Dispose(bool disposing)
    {
        // The collector takes it with the connection.
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
