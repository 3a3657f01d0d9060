using Transfer.Local;

namespace Transfer.Contents;

/// <summary>An application's stream being filled, from the current position on. A stream that cannot seek is not written twice.</summary>
internal sealed class StreamSink : EngineContent
{
    private readonly Stream _stream;
    private readonly long _start;
    private readonly ReceivedEnds _ends = new(0);
    private long _position;
    private long _written; // the end of the bytes of all attempts

    public StreamSink(Stream stream, long? length)
    {
        _stream = stream;
        Length = length;
        if (stream.CanSeek) _start = stream.Position;
    }

    public override long? Length { get; }

    public override bool CanReplay => _stream.CanSeek || _position == 0;

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        try
        {
            if (offset != _position)
            {
                if (!_stream.CanSeek)
                    throw new TransferException(TransferError.Unsupported, "A stream that cannot seek is written once, in order.");
                _stream.Position = _start + offset;
                _position = offset;
            }
            await _stream.WriteAsync(data, ct).ConfigureAwait(false);
            _ends.Add(offset, data.Span);
            _position += data.Length;
            _written = Math.Max(_written, _position);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is ObjectDisposedException)
        {
            throw LocalErrors.Map(e, "Cannot write", "the destination stream");
        }
    }

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        new(_ends.Read(offset, buffer.Span));

    public override async ValueTask FinishAsync(long bytes)
    {
        try
        {
            // An attempt before may have brought more bytes, of a file that is shorter by now.
            if (_position < _written && _stream.CanSeek && _stream.Length == _start + _written) _stream.SetLength(_start + _position);
            await _stream.FlushAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e) || e is ObjectDisposedException)
        {
            throw LocalErrors.Map(e, "Cannot write", "the destination stream");
        }
    }
}
