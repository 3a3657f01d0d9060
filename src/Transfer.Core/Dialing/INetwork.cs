using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>The two things a dialer asks of the outside, so that a test can stand in for it.</summary>
internal interface INetwork
{
    /// <summary>Looks a host name up, forwards only.</summary>
    Task<IPAddress[]> ResolveAsync(string host, AddressFamily family, CancellationToken ct);

    /// <summary>Connects a socket.</summary>
    ValueTask ConnectAsync(Socket socket, IPEndPoint endPoint, CancellationToken ct);
}
