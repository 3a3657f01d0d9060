namespace Transfer.Contents;

/// <summary>
/// An application's stream being filled, from the current position on. A stream that cannot seek is not written twice. An exception of the
/// stream is the caller's own: see <see cref="StreamSource"/>.
/// </summary>
internal sealed class StreamSink : EngineContent
{
    private readonly Stream _stream;
    private readonly Action<Exception> _onFault;
    private readonly long _start;
    private readonly ReceivedEnds _ends = new(0);
    private long _position;
    private long _written; // the end of the bytes of all attempts

    /// <param name="stream">The stream.</param>
    /// <param name="length">The length of the file; null: not known.</param>
    /// <param name="onFault">Gets the exception of the stream.</param>
    public StreamSink(Stream stream, long? length, Action<Exception> onFault)
    {
        _stream = stream;
        _onFault = onFault;
        Length = length;
        if (stream.CanSeek) _start = stream.Position;
    }

    public override long? Length { get; }

    public override bool CanReplay => _stream.CanSeek || _position == 0;

    public override async ValueTask WriteAsync(long offset, ReadOnlyMemory<byte> data, CancellationToken ct)
    {
        if (offset != _position && !_stream.CanSeek)
            throw new TransferException(TransferError.Unsupported, "A stream that cannot seek is written once, in order.");
        try
        {
            if (offset != _position) _stream.Position = _start + offset;
            _position = offset;
            await _stream.WriteAsync(data, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException || !ct.IsCancellationRequested)
        {
            throw StreamFault.Of(e, "destination", _onFault);
        }
        _ends.Add(offset, data.Span);
        _position += data.Length;
        _written = Math.Max(_written, _position);
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
        catch (Exception e)
        {
            throw StreamFault.Of(e, "destination", _onFault);
        }
    }
}
