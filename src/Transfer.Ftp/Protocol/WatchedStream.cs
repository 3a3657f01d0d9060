namespace Transfer.Ftp.Protocol;

/// <summary>
/// The raw transport under TLS and all else. It reports every byte that moves, and remembers whether the peer ended the stream:
/// SslStream returns 0 for a TLS end and for a cut connection alike, and only the latter has been seen here.
/// </summary>
internal sealed class WatchedStream : Stream
{
    /// <summary>A slow link must show progress inside one large write.</summary>
    private const int WriteSize = 64 * 1024;

    private readonly Stream _inner;
    private readonly Action _onRead;
    private readonly Action? _onWritten;
    private readonly Lock _gate = new();
    private TaskCompletionSource? _held;
    private bool _waits; // a read has been begun, and whoever began it does nothing else until it ends
    private volatile bool _sawEnd;

    public WatchedStream(Stream inner, Action onRead, Action? onWritten = null)
    {
        _inner = inner;
        _onRead = onRead;
        _onWritten = onWritten;
    }

    /// <summary>The peer's FIN has been read.</summary>
    public bool SawEnd => _sawEnd;

    /// <summary>
    /// Keeps whoever reads waiting, whatever comes, until <see cref="LetGo"/>. False: nobody waits for bytes at this moment, so somebody may be at work on them.
    /// SslStream.ShutdownAsync enters OpenSSL without the lock that reading takes: beside a read that works on a TLS 1.3 session ticket the process dies of it.
    /// </summary>
    public bool TryHold()
    {
        lock (_gate)
        {
            if (!_waits || _held is not null)
                return false;
            _held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return true;
        }
    }

    /// <summary>Ends what <see cref="TryHold"/> began.</summary>
    public void LetGo()
    {
        lock (_gate)
        {
            _held?.SetResult();
            _held = null;
        }
    }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_gate) _waits = true;
        int read;
        try
        {
            read = await _inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            while (Awake() is { } held) await held.ConfigureAwait(false);
        }
        if (read > 0)
            _onRead();
        else if (!buffer.IsEmpty)
            _sawEnd = true; // SslStream also reads zero bytes to wait for data: that is no end.
        return read;
    }

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (buffer.Length > WriteSize)
        {
            await _inner.WriteAsync(buffer[..WriteSize], cancellationToken).ConfigureAwait(false);
            _onWritten?.Invoke();
            buffer = buffer[WriteSize..];
        }

        await _inner.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        _onWritten?.Invoke();
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override Task FlushAsync(CancellationToken cancellationToken) => _inner.FlushAsync(cancellationToken);

    public override void Flush() => _inner.Flush();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    private Task? Awake()
    {
        lock (_gate)
        {
            _waits = _held is not null;
            return _held?.Task;
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            _inner.Dispose();
        base.Dispose(disposing);
    }
}
