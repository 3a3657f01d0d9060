using System.Net;
using System.Net.Sockets;
using Transfer.Dialing;

namespace Transfer.Benchmarks.Dialing;

/// <summary>
/// A name with a silent address and a loopback one. Nothing but loopback is ever connected to, and no name server is asked.
/// </summary>
internal sealed class PlayedNetwork : INetwork, IDisposable
{
    /// <summary>A reverse look-up where PTR records are missing: 2 s and more in the field.</summary>
    private static readonly TimeSpan ReverseLookUp = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a system waits for a silent address: 21 s on Windows, 127 s on Linux.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(1);

    // RFC 5737: an address for documents.
    private static readonly IPAddress Silent = IPAddress.Parse("192.0.2.1");

    private readonly bool _looksBackwards;
    private readonly LoopbackListener _listener = new();

    public PlayedNetwork(bool looksBackwards) => _looksBackwards = looksBackwards;

    public int Port => _listener.EndPoint.Port;

    public async Task<IPAddress[]> ResolveAsync(string host, AddressFamily family, CancellationToken ct)
    {
        if (_looksBackwards) await Task.Delay(ReverseLookUp, ct);
        return [Silent, IPAddress.Loopback];
    }

    public async ValueTask ConnectAsync(Socket socket, IPEndPoint endPoint, CancellationToken ct)
    {
        if (endPoint.Address.Equals(Silent))
        {
            await Task.Delay(ConnectTimeout, ct);
            throw new SocketException((int)SocketError.TimedOut);
        }
        await socket.ConnectAsync(endPoint, ct);
    }

    public void Dispose() => _listener.Dispose();
}
