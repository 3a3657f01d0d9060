namespace Transfer.Batch.Archive.Format;

/// <summary>Plain tar, for a system's own tar: neither framed nor sealed.</summary>
internal sealed class PlainPayload : PayloadWriter
{
    private readonly Stream _destination;
    private readonly Action<int>? _moved;
    private readonly byte[] _buffer;
    private int _filled;

    /// <param name="destination">The stream to write.</param>
    /// <param name="moved">Receives the number of bytes of each write; null: none is told.</param>
    /// <param name="buffer">The most bytes of a write.</param>
    public PlainPayload(Stream destination, Action<int>? moved = null, int buffer = 1 << 18)
    {
        _destination = destination;
        _moved = moved;
        _buffer = new byte[buffer];
    }

    public override Memory<byte> Room => _buffer.AsMemory(_filled);

    public override void Advance(int count, bool shrinks) => _filled += count;

    public override async ValueTask FlushAsync(CancellationToken ct)
    {
        await _destination.WriteAsync(_buffer.AsMemory(0, _filled), ct).ConfigureAwait(false);
        _moved?.Invoke(_filled);
        _filled = 0;
    }

    public override ValueTask CompleteAsync(CancellationToken ct) => FlushAsync(ct);
}
