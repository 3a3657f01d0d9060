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

    private const int StartSize = 40;

    private readonly Action _onRead;
    private readonly Action? _onWritten;
    private volatile bool _sawEnd;
    private byte[]? _start;
    private int _kept;

    public WatchedStream(Stream inner, Action onRead, Action? onWritten = null)
        : base(inner)
    {
        _onRead = onRead;
        _onWritten = onWritten;
    }

    /// <summary>The first bytes that came, as far as kept.</summary>
    public ReadOnlySpan<byte> Start => _start.AsSpan(0, _kept);

    /// <summary>Whether the peer's FIN has been read.</summary>
    public bool SawEnd => _sawEnd;

    /// <summary>Keeps the next bytes that come: those that answer the start of TLS.</summary>
    public void KeepStart() => (_start, _kept) = (new byte[StartSize], 0);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        _start is { } start && _kept < start.Length
            ? ReadStartAsync(start, buffer, cancellationToken) : base.ReadAsync(buffer, cancellationToken);

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

    private async ValueTask<int> ReadStartAsync(byte[] start, Memory<byte> buffer, CancellationToken ct)
    {
        var read = await base.ReadAsync(buffer, ct).ConfigureAwait(false);
        var kept = Math.Min(read, start.Length - _kept);
        buffer[..kept].CopyTo(start.AsMemory(_kept));
        _kept += kept;
        return read;
    }

    protected override void OnRead(int read, int asked)
    {
        if (read > 0)
            _onRead();
        else if (asked > 0)
            _sawEnd = true; // SslStream also reads zero bytes to wait for data: that is no end.
    }
}
