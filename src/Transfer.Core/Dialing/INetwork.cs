using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>The two network calls of a dialer, replaceable by tests.</summary>
internal interface INetwork
{
    /// <summary>Looks a host name up, forwards only.</summary>
    Task<IPAddress[]> ResolveAsync(string host, AddressFamily family, CancellationToken ct);

    /// <summary>Connects a socket.</summary>
    ValueTask ConnectAsync(Socket socket, IPEndPoint endPoint, CancellationToken ct);
}
