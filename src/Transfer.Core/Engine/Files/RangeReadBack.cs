using Transfer.Contents;
using Transfer.Diagnostics;
using Transfer.Sessions;

namespace Transfer.Engine.Files;

/// <summary>A short range of a remote file that is fetched to be compared.</summary>
internal sealed class RangeReadBack : ReadBack
{
    private readonly Range _range;

    public RangeReadBack(string path, long offset, int count, ServerMeter meter)
        : this(path, new Range(offset, count), meter)
    {
    }

    private RangeReadBack(string path, Range range, ServerMeter meter)
        : base(path, range, meter)
    {
        _range = range;
        Offset = range.Start;
        End = range.Start + range.Wanted;
    }

    /// <summary>Fetches the range. Fewer bytes than wanted: the file ends there.</summary>
    /// <exception cref="TransferException">The range could not be read.</exception>
    public async ValueTask<ReadOnlyMemory<byte>> RunAsync(TransferSession session, CancellationToken ct)
    {
        await FetchAsync(session, ct).ConfigureAwait(false);
        return _range.Arrived;
    }

    private sealed class Range(long start, int count) : EngineContent
    {
        private readonly byte[] _bytes = new byte[count];
        private int _arrived;

        public long Start => start;

        public int Wanted => count;

        public ReadOnlyMemory<byte> Arrived => _bytes.AsMemory(0, _arrived);

        // The length of the file is not known.
        public override long? Length => null;

        public override bool CanReplay => false;

        public override ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
        {
            data.CopyTo(_bytes.AsMemory((int)(offset - start)));
            _arrived = (int)(offset - start) + data.Length;
            return default;
        }
    }
}
