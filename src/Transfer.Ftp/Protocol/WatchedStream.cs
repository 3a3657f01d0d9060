using Transfer.Dialing;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The raw transport under TLS and all else. Reports every byte that moves, and remembers whether the peer ended the stream:
/// SslStream returns 0 for a TLS end and for a cut connection alike, and only the latter is an end here.
/// </summary>
internal sealed class WatchedStream : TlsTransportStream
{
    /// <summary>A slow link must show progress inside one large write.</summary>
    private const int WriteSize = 64 * 1024;

    private readonly Action _onRead;
    private readonly Action? _onWritten;
    private volatile bool _sawEnd;

    public WatchedStream(Stream inner, Action onRead, Action? onWritten = null)
        : base(inner)
    {
        _onRead = onRead;
        _onWritten = onWritten;
    }

    /// <summary>Whether the peer's FIN has been read.</summary>
    public bool SawEnd => _sawEnd;

    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (buffer.Length > WriteSize)
        {
            await base.WriteAsync(buffer[..WriteSize], cancellationToken).ConfigureAwait(false);
            _onWritten?.Invoke();
            buffer = buffer[WriteSize..];
        }

        await base.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        _onWritten?.Invoke();
    }

    protected override void OnRead(int read, int asked)
    {
        if (read > 0)
            _onRead();
        else if (asked > 0)
            _sawEnd = true; // SslStream also reads zero bytes to wait for data: that is no end.
    }
}
