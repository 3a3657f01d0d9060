namespace Transfer.Contents;

/// <summary>
/// An application's stream being sent, from the current position on. A stream that cannot seek is not read twice. An exception of the
/// stream is the caller's own, and no fault of the server's: the job throws it, and the session only learns that the file ends. A stream
/// with a length of 0 is read to the end: streams over /proc and the like have content all the same.
/// </summary>
internal sealed class StreamSource : EngineContent
{
    private readonly Stream _stream;
    private readonly Action<Exception> _onFault;
    private readonly long _start;
    private readonly SentTail? _tail;
    private long _position;
    private bool _ended;

    /// <param name="stream">The stream.</param>
    /// <param name="onFault">Gets the exception of the stream.</param>
    public StreamSource(Stream stream, Action<Exception> onFault)
    {
        _stream = stream;
        _onFault = onFault;
        if (!stream.CanSeek)
        {
            _tail = new SentTail();
            return;
        }
        _start = stream.Position;
        Length = Math.Max(0, stream.Length - _start);
    }

    public override long? Length { get; }

    public override bool CanReplay => _stream.CanSeek || _position == 0;

    public override long? WholeLength => Length is > 0 ? Length : _ended ? _position : null;

    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        if (offset != _position && !_stream.CanSeek)
            throw new TransferException(TransferError.Unsupported, "A stream that cannot seek is read once, in order.");
        var read = await ReadStreamAsync(offset, buffer, ct).ConfigureAwait(false);
        _tail?.Add(_position, buffer.Span[..read]);
        _position += read;
        var ended = read == 0 && buffer.Length > 0;
        _ended |= ended;
        if (Length is not (> 0 and var length)) return read;
        if (ended && _position < length)
            throw new TransferException(TransferError.Integrity, $"The stream announced {length} bytes and ended after {_position}.");
        // Sessions read no further than the length.
        if (_position > length || !ended && _position == length && await ReadStreamAsync(length, new byte[1], ct).ConfigureAwait(false) > 0)
            throw new TransferException(TransferError.Integrity, $"The stream announced {length} bytes and has more.");
        return read;
    }

    public override ValueTask<int> ReadBackAsync(long offset, Memory<byte> buffer, CancellationToken ct) =>
        _tail is { } tail ? new(tail.Read(offset, buffer.Span)) : base.ReadBackAsync(offset, buffer, ct);

    public override ValueTask ResetAsync()
    {
        // The next read puts a seekable stream back, by comparing the position with the offset of the read.
        _ended = false;
        return default;
    }

    private async ValueTask<int> ReadStreamAsync(long offset, Memory<byte> buffer, CancellationToken ct)
    {
        try
        {
            if (offset != _position) _stream.Position = _start + offset;
            _position = offset;
            return await _stream.ReadAsync(buffer, ct).ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException || !ct.IsCancellationRequested)
        {
            throw StreamFault.Of(e, "source", _onFault);
        }
    }
}
