using System.Net.Security;
using System.Net.Sockets;
using Transfer.Testing.Connections;
using Transfer.Testing.Tls;

namespace Transfer.Testing.Ftp.Data;

/// <summary>An open data connection.</summary>
internal sealed class DataConnection : IAsyncDisposable
{
    private static readonly TimeSpan Lingering = TimeSpan.FromSeconds(5);

    private readonly Socket _socket;
    private readonly NetworkStream _network;
    private TlsTap? _tap;
    private SslStream? _ssl;
    private bool _handedOver;

    public DataConnection(Socket socket)
    {
        socket.NoDelay = true;
        _socket = socket;
        _network = new NetworkStream(socket, ownsSocket: true);
    }

    public Stream Stream => (Stream?)_ssl ?? _network;

    /// <summary>Whether the TLS handshake resumed a session of the same control connection.</summary>
    public bool IsResumed => _tap?.IsResumed == true;

    /// <summary>Whether the peer closed TCP without closing TLS first: the content may be cut (RFC 8446 6.1).</summary>
    public bool IsTruncated => _tap?.HasTcpEnded == true;

    public async Task ProtectAsync(TlsCredentials credentials, CancellationToken ct)
    {
        _tap = new TlsTap(_network, credentials.Sessions, holdsTickets: true);
        _ssl = new SslStream(_tap, leaveInnerStreamOpen: true);
        await _ssl.AuthenticateAsServerAsync(credentials.ForData(), ct).ConfigureAwait(false);
        _tap.Establish();
    }

    /// <summary>
    /// Ends the sending direction, with close_notify (unless switched off) and FIN, and leaves the rest to a task of the server.
    /// </summary>
    public async Task FinishAsync(bool closeNotify, ServerCore core, CancellationToken ct)
    {
        if (_ssl is not null && closeNotify) await _ssl.ShutdownAsync().WaitAsync(ct).ConfigureAwait(false);
        _socket.Shutdown(SocketShutdown.Send);
        _handedOver = true;
        core.Background.Add(DrainAsync(core.Stopping));
    }

    public void Reset() => _socket.Close(0);

    public async ValueTask DisposeAsync()
    {
        if (!_handedOver) await CloseAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Reads until the client closes, too: closing with unread bytes would send a RST, which may overtake the last bytes sent.
    /// </summary>
    private async Task DrainAsync(CancellationToken stopping)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        limit.CancelAfter(Lingering);
        var rest = new byte[1024];
        try
        {
            while (await _network.ReadAsync(rest, limit.Token).ConfigureAwait(false) > 0)
            {
            }
        }
        catch (Exception e) when (Disconnect.IsDisconnect(e))
        {
            // Every end is fine: all bytes were sent, and the transfer has a reply of its own.
        }

        await CloseAsync().ConfigureAwait(false);
    }

    private async ValueTask CloseAsync()
    {
        if (_ssl is not null) await _ssl.DisposeAsync().ConfigureAwait(false);
        await _network.DisposeAsync().ConfigureAwait(false);
    }
}
