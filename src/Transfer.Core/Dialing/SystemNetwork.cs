using System.Net;
using System.Net.Sockets;

namespace Transfer.Dialing;

/// <summary>The system's resolver and sockets.</summary>
internal sealed class SystemNetwork : INetwork
{
    public static SystemNetwork Instance { get; } = new();

    // Never Dns.GetHostEntry, which also looks up the addresses' names: that costs seconds where PTR records are missing.
    public Task<IPAddress[]> ResolveAsync(string host, AddressFamily family, CancellationToken ct) =>
        Dns.GetHostAddressesAsync(host, family, ct);

    public ValueTask ConnectAsync(Socket socket, IPEndPoint endPoint, CancellationToken ct) => socket.ConnectAsync(endPoint, ct);
}
