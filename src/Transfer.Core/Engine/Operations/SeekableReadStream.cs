using System.Buffers;

namespace Transfer.Engine.Operations;

/// <summary>
/// A remote file of known length. No byte is fetched before the first read. In order, one download goes to the end; after a seek a block is
/// fetched, and then ranges that grow as long as they are read in order, so that a few bytes here and there do not cost the rest of the
/// file.
/// </summary>
internal sealed class SeekableReadStream : RemoteReadStream
{
    /// <summary>The number of bytes fetched after a seek, and the most that are read and dropped to reach a later position.</summary>
    internal const int BlockSize = 64 << 10;

    // The range length from which on a reader is taken to read the whole file.
    private const long LongestRange = 4 << 20;

    private readonly Func<long, long, CancellationToken, Task<Stream>> _open;
    private readonly string _path;
    private byte[]? _block;
    private long _blockStart;
    private int _blockLength;
    private Stream? _range;
    private long _rangeStart; // the next byte that the range gives
    private long _rangeEnd;
    private long _reached; // the end of the bytes fetched last
    private long _rangeLength = long.MaxValue;
    private long _position;

    /// <param name="path">The file, for messages.</param>
    /// <param name="length">Bytes that can be read.</param>
    /// <param name="open">Opens a range, which has a start and a length, for reading in order.</param>
    public SeekableReadStream(string path, long length, Func<long, long, CancellationToken, Task<Stream>> open) =>
        (_path, Length, _open) = (path, length, open);

    public override bool CanSeek => CanRead;

    public override long Length { get; }

    public override long Position
    {
        get => _position;
        set
        {
            ThrowIfDisposed();
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
        }
    }

    public override long Seek(long offset, SeekOrigin origin)
    {
        ThrowIfDisposed();
        var target = offset + origin switch
        {
            SeekOrigin.Begin => 0,
            SeekOrigin.Current => _position,
            SeekOrigin.End => Length,
            _ => throw new ArgumentOutOfRangeException(nameof(origin), origin, "There is no such origin."),
        };
        return target >= 0 ? _position = target : throw new IOException("A position is not before the beginning.");
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        var left = Length - _position;
        if (left <= 0 || buffer.Length == 0) return 0;
        if (buffer.Length > left) buffer = buffer[..(int)left];
        if (!IsInBlock && !await ReachAsync(cancellationToken).ConfigureAwait(false))
            await MoveAsync(cancellationToken).ConfigureAwait(false);
        var read = IsInBlock ? Take(buffer.Span) : await ReadRangeAsync(buffer, cancellationToken).ConfigureAwait(false);
        _position += read;
        return read;
    }

    protected override async ValueTask ReleaseAsync()
    {
        await CloseAsync().ConfigureAwait(false);
        if (_block is not null) ArrayPool<byte>.Shared.Return(_block);
    }

    private byte[] Block => _block ??= ArrayPool<byte>.Shared.Rent(BlockSize);

    private bool IsInBlock => _position >= _blockStart && _position < _blockStart + _blockLength;

    private int Take(Span<byte> buffer)
    {
        var there = Block.AsSpan(0, _blockLength)[(int)(_position - _blockStart)..];
        if (there.Length > buffer.Length) there = there[..buffer.Length];
        there.CopyTo(buffer);
        return there.Length;
    }

    // Bytes a little further on cost less to read than to request.
    private async ValueTask<bool> ReachAsync(CancellationToken ct)
    {
        if (_range is null || _position < _rangeStart || _position >= _rangeEnd || _position - _rangeStart > BlockSize) return false;
        _blockLength = 0;
        while (_rangeStart < _position)
            await ReadRangeAsync(Block.AsMemory(0, (int)Math.Min(BlockSize, _position - _rangeStart)), ct).ConfigureAwait(false);
        return true;
    }

    private async ValueTask MoveAsync(CancellationToken ct)
    {
        await CloseAsync().ConfigureAwait(false);
        if (_position != _reached)
        {
            await FetchBlockAsync(ct).ConfigureAwait(false);
            return;
        }
        if (_rangeLength < long.MaxValue) _rangeLength = _rangeLength < LongestRange ? _rangeLength * 4 : long.MaxValue;
        await OpenAsync(_position, _rangeLength, ct).ConfigureAwait(false);
    }

    // Blocks begin at multiples of their size: a reader that seeks back and forth finds the wanted bytes in one.
    private async ValueTask FetchBlockAsync(CancellationToken ct)
    {
        var start = _position / BlockSize * BlockSize;
        _blockLength = 0;
        await OpenAsync(start, BlockSize, ct).ConfigureAwait(false);
        var length = (int)(_rangeEnd - start);
        for (var read = 0; read < length;) read += await ReadRangeAsync(Block.AsMemory(read, length - read), ct).ConfigureAwait(false);
        (_blockStart, _blockLength, _rangeLength) = (start, length, BlockSize);
    }

    private async ValueTask OpenAsync(long start, long length, CancellationToken ct)
    {
        length = Math.Min(length, Length - start);
        _range = await _open(start, length, ct).ConfigureAwait(false);
        (_rangeStart, _rangeEnd) = (start, start + length);
    }

    private async ValueTask<int> ReadRangeAsync(Memory<byte> buffer, CancellationToken ct)
    {
        var most = _rangeEnd - _rangeStart;
        var read = 0;
        try
        {
            read = await _range!.ReadAsync(buffer.Length > most ? buffer[..(int)most] : buffer, ct).ConfigureAwait(false);
        }
        catch (TransferException)
        {
            // The next read opens a new range.
            await CloseAsync().ConfigureAwait(false);
            throw;
        }
        if (read == 0)
            throw new TransferException(TransferError.Integrity, $"{_path} has become shorter since it was opened.") { RemotePath = _path };
        _rangeStart += read;
        _reached = _rangeStart;
        if (_rangeStart == _rangeEnd) await CloseAsync().ConfigureAwait(false);
        return read;
    }

    private async ValueTask CloseAsync()
    {
        if (_range is not { } range) return;
        _range = null;
        await range.DisposeAsync().ConfigureAwait(false);
    }
}
