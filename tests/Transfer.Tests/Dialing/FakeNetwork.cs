using System.Net;
using System.Net.Sockets;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

/// <summary>Given answers in place of the resolver, and in place of the network where a test says so.</summary>
internal sealed class FakeNetwork : INetwork
{
    private int _lookups;

    public Func<string, AddressFamily, Task<IPAddress[]>> Resolve { get; init; } =
        (host, _) => throw new InvalidOperationException($"'{host}' should not be looked up.");

    public Func<Socket, IPEndPoint, CancellationToken, ValueTask> Connect { get; init; } =
        (socket, endPoint, ct) => socket.ConnectAsync(endPoint, ct);

    public int Lookups => _lookups;

    /// <summary>Takes everything and never answers.</summary>
    public static Func<Socket, IPEndPoint, CancellationToken, ValueTask> BlackHole { get; } =
        async (_, _, ct) => await Task.Delay(Timeout.Infinite, ct);

    public Task<IPAddress[]> ResolveAsync(string host, AddressFamily family, CancellationToken ct)
    {
        Interlocked.Increment(ref _lookups);
        return Resolve(host, family);
    }

    public ValueTask ConnectAsync(Socket socket, IPEndPoint endPoint, CancellationToken ct) => Connect(socket, endPoint, ct);
}
