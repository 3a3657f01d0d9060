namespace Transfer.Batch.Archive.Format;

/// <summary>Plain tar, for a system's own tar: neither framed nor sealed.</summary>
internal sealed class PlainPayload : PayloadWriter
{
    private readonly Stream _destination;
    private readonly byte[] _buffer;
    private int _filled;

    public PlainPayload(Stream destination, int buffer = 1 << 18)
    {
        _destination = destination;
        _buffer = new byte[buffer];
    }

    public override Memory<byte> Room => _buffer.AsMemory(_filled);

    public override void Advance(int count, bool shrinks) => _filled += count;

    public override async ValueTask FlushAsync(CancellationToken ct)
    {
        await _destination.WriteAsync(_buffer.AsMemory(0, _filled), ct).ConfigureAwait(false);
        _filled = 0;
    }

    public override ValueTask CompleteAsync(CancellationToken ct) => FlushAsync(ct);
}
