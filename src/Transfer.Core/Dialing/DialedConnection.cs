using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>An open TCP connection and facts learned by opening. The caller owns the socket.</summary>
public sealed class DialedConnection : IDisposable
{
    /// <summary>Wraps a connected socket.</summary>
    public DialedConnection(Socket socket, TimeSpan? roundTrip)
    {
        Socket = socket;
        RoundTrip = roundTrip;
    }

    /// <summary>The connected socket.</summary>
    public Socket Socket { get; }

    /// <summary>The address at the other end: the server's, or the proxy's.</summary>
    public IPEndPoint? RemoteEndPoint => (IPEndPoint?)Socket.RemoteEndPoint;

    /// <summary>The time of the TCP handshake, one round trip; null behind a proxy.</summary>
    public TimeSpan? RoundTrip { get; }

    /// <summary>Closes the socket.</summary>
    public void Dispose() => Socket.Dispose();
}
