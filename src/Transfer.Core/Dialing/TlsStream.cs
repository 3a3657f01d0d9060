using System.Net.Security;
using Transfer.Dialing;

namespace Transfer.Sessions;

/// <summary>
/// TLS over a connection, which can announce the end of one direction (close_notify, RFC 8446 section 6.1), for providers. A plain
/// <see cref="SslStream"/> cannot safely: <see cref="SslStream.ShutdownAsync"/> beside a read crashes the process when a session ticket or
/// a key update of TLS 1.3 arrives, and fails on a lost connection with exceptions of types that no caller can name.
/// </summary>
public class TlsStream : SslStream
{
    private readonly TlsTransportStream _transport;

    /// <summary>Creates TLS over a connection; the handshake is still to be made.</summary>
    /// <param name="connection">The bytes below TLS.</param>
    /// <param name="leaveInnerStreamOpen">Whether the connection stays open when this stream is closed.</param>
    public TlsStream(Stream connection, bool leaveInnerStreamOpen = false)
        : this(new TlsTransportStream(connection), leaveInnerStreamOpen)
    {
    }

    private TlsStream(TlsTransportStream transport, bool leaveInnerStreamOpen)
        : base(transport, leaveInnerStreamOpen) => _transport = transport;

    /// <summary>
    /// Begins to read the certificates that the system trusts, once in a process. On Linux that takes a first handshake 0.1 s, however the
    /// peer is judged. <see cref="DialHints.IsForTls"/> does the same while a connection opens.
    /// </summary>
    public static void Prepare() => SystemTrust.Prepare();

    /// <summary>Announces that nothing more will come. Neither a read nor a write may be under way.</summary>
    /// <param name="cancellationToken">Ends the wait, not the sending.</param>
    /// <exception cref="IOException">The connection is lost.</exception>
    public Task SendCloseNotifyAsync(CancellationToken cancellationToken = default) => TlsCloseNotify.SendAsync(this, cancellationToken);

    /// <summary>Announces that nothing more will come, beside a read. No write may be under way.</summary>
    /// <param name="limit">The longest time for sending.</param>
    /// <param name="time">The clock.</param>
    /// <returns>The reason for not sending: bytes received are being worked on, or the connection is lost; null: sent.</returns>
    public ValueTask<string?> TrySendCloseNotifyAsync(TimeSpan limit, TimeProvider time) => _transport.SayGoodbyeAsync(this, limit, time);
}
