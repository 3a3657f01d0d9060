namespace Transfer.Testing.Stores;

/// <summary>A <see cref="MemoryContent"/> read or written from an offset on; seekable.</summary>
internal sealed class MemoryContentStream : Stream
{
    private readonly MemoryContent _content;
    private readonly Action? _written;
    private long _position;

    /// <param name="content">The bytes.</param>
    /// <param name="offset">Where to start; negative: at the end.</param>
    /// <param name="writable">Whether to write instead of to read.</param>
    /// <param name="written">Called after each change.</param>
    public MemoryContentStream(MemoryContent content, long offset, bool writable, Action? written = null)
    {
        _content = content;
        _position = offset < 0 ? content.Length : offset;
        _written = written;
        CanWrite = writable;
    }

    public override bool CanRead => !CanWrite;

    public override bool CanSeek => true;

    public override bool CanWrite { get; }

    public override long Length => _content.Length;

    public override long Position
    {
        get => _position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
        }
    }

    public override int Read(Span<byte> buffer)
    {
        if (!CanRead) throw new NotSupportedException();
        var count = _content.Read(_position, buffer);
        _position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        cancellationToken.IsCancellationRequested
        ? ValueTask.FromCanceled<int>(cancellationToken) : ValueTask.FromResult(Read(buffer.Span));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        if (!CanWrite) throw new NotSupportedException();
        _content.Write(_position, buffer);
        _position += buffer.Length;
        _written?.Invoke();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => Position = origin switch
    {
        SeekOrigin.Begin => offset,
        SeekOrigin.Current => _position + offset,
        _ => Length + offset,
    };

    /// <summary>Cuts off the content, or lengthens it by zeros.</summary>
    public override void SetLength(long value)
    {
        if (!CanWrite) throw new NotSupportedException();
        ArgumentOutOfRangeException.ThrowIfNegative(value);
        _content.Resize(value);
        _written?.Invoke();
    }
}
