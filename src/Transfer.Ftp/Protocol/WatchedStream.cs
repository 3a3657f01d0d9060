using System.Runtime.CompilerServices;
using Transfer.Sessions;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The raw transport under TLS and all else. Reports every byte that moves, and remembers whether the peer ended the stream:
/// SslStream returns 0 for a TLS end and for a cut connection alike, and only the latter is an end here.
/// </summary>
internal sealed class WatchedStream : SequentialStream
{
    /// <summary>A slow link must show progress inside one large write.</summary>
    private const int WriteSize = 64 * 1024;

    private const int StartSize = 40;

    private readonly Stream _inner;
    private readonly Action _onRead;
    private readonly Action? _onWritten;
    private volatile bool _sawEnd;
    private byte[]? _start;
    private int _kept;

    public WatchedStream(Stream inner, Action onRead, Action? onWritten = null)
    {
        _inner = inner;
        _onRead = onRead;
        _onWritten = onWritten;
    }

    /// <summary>The first bytes that came, as far as kept.</summary>
    public ReadOnlySpan<byte> Start => _start.AsSpan(0, _kept);

    /// <summary>Whether the peer's FIN has been read.</summary>
    public bool SawEnd => _sawEnd;

    /// <summary>Keeps the next bytes that come: those that answer the start of TLS.</summary>
    public void KeepStart() => (_start, _kept) = (new byte[StartSize], 0);

    public override bool CanRead => true;

    public override bool CanWrite => true;

    // Pooled: a connection waits here once a read.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var read = await _inner.ReadAsync(buffer, cancellationToken).ConfigureAwait(false);
        if (read > 0)
            _onRead();
        else if (!buffer.IsEmpty)
            _sawEnd = true; // SslStream also reads zero bytes to wait for data: that is no end.
        if (_start is { } start && _kept < start.Length) Keep(start, buffer.Span[..read]);
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

    public override Task FlushAsync(CancellationToken cancellationToken) => _inner.FlushAsync(cancellationToken);

    public override void Flush() => _inner.Flush();

    protected override void Dispose(bool disposing)
    {
        if (disposing) _inner.Dispose();
        base.Dispose(disposing);
    }

    private void Keep(byte[] start, ReadOnlySpan<byte> bytes)
    {
        bytes = bytes[..Math.Min(bytes.Length, start.Length - _kept)];
        bytes.CopyTo(start.AsSpan(_kept));
        _kept += bytes.Length;
    }
}
