using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Transfer.Dialing;

namespace Transfer.Sessions;

/// <summary>An open TCP connection and facts learned by opening, for providers. The holder owns the socket.</summary>
public sealed class DialedConnection : IDisposable
{
    private SocketStream? _stream;

    /// <summary>Wraps a connected socket, as one that a listener has accepted.</summary>
    /// <param name="socket">The socket.</param>
    /// <param name="roundTrip">The time of the TCP handshake; null: unknown.</param>
    public DialedConnection(Socket socket, TimeSpan? roundTrip = null)
    {
        Socket = socket;
        RoundTrip = roundTrip;
    }

    /// <summary>The connected socket, for end points, shutdown and options. Bytes are sent through <see cref="Stream"/>.</summary>
    public Socket Socket { get; }

    /// <summary>
    /// The bytes, both ways: the same stream at each call, whose disposal closes the socket. One reader and one writer at a time. On Linux
    /// the stream keeps the send buffer full where that bounds the rate, over long paths.
    /// </summary>
    public Stream Stream => _stream ??= new SocketStream(Socket);

    /// <summary>The address at the other end: the server's, or the proxy's.</summary>
    public IPEndPoint? RemoteEndPoint => (IPEndPoint?)Socket.RemoteEndPoint;

    /// <summary>The time of the TCP handshake, one round trip; null behind a proxy.</summary>
    public TimeSpan? RoundTrip { get; }

    /// <summary>
    /// Connects to a host name or IP literal (IPv6 without brackets), through the proxy if the options name one. Addresses of a name race
    /// (RFC 8305); buffers and congestion control follow the options. No name is ever looked up backwards.
    /// </summary>
    /// <param name="host">The host.</param>
    /// <param name="port">The TCP port.</param>
    /// <param name="options">The client's options (<see cref="TransferClientOptions.Dial"/>).</param>
    /// <param name="hints">The caller's knowledge of the connection.</param>
    /// <param name="logger">The log.</param>
    /// <param name="time">The clock.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="TransferConnectionException">
    /// Name not found, refused or unreachable (<see cref="TransferError.Lost"/>), timed out (<see cref="TransferError.Timeout"/>),
    /// refused by the proxy (<see cref="TransferError.Auth"/>, <see cref="TransferError.Denied"/>, <see cref="TransferError.Protocol"/> and
    /// more), or the system cannot satisfy the options (<see cref="TransferError.Unsupported"/>).
    /// </exception>
    /// <exception cref="ArgumentException">The host is no host name, or the proxy's log-in cannot be expressed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static async ValueTask<DialedConnection> OpenAsync(string host, int port, DialOptions options, DialHints hints, ILogger logger,
        TimeProvider time, CancellationToken cancellationToken = default)
    {
        try
        {
            var connection = await new Dialer(options, logger, time).DialAsync(host, port, hints, cancellationToken).ConfigureAwait(false);
            OpeningMark.Current?.Failure = null;
            return connection;
        }
        catch (TransferConnectionException e)
        {
            OpeningMark.Current?.Failure = e;
            throw;
        }
    }

    /// <summary>
    /// Whether an error of <see cref="OpenAsync"/> means that the port refused: a server that is being started, or has a full backlog, may
    /// accept the next connection.
    /// </summary>
    /// <param name="error">The error.</param>
    public static bool IsRefused(TransferConnectionException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return error.InnerException is SocketException { SocketErrorCode: SocketError.ConnectionRefused };
    }

    /// <summary>
    /// Has the next few segments acknowledged on arrival, where the system can (Linux): a peer that follows Nagle's algorithm holds the
    /// second reply back until the first is acknowledged.
    /// </summary>
    public static void AcknowledgeAtOnce(Socket socket)
    {
        ArgumentNullException.ThrowIfNull(socket);
        SocketTuning.AcknowledgeAtOnce(socket);
    }

    /// <summary>Closes the socket.</summary>
    public void Dispose() => Socket.Dispose();
}
