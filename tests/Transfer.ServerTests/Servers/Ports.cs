using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// A block of free ports: one for control connections, the others for passive data connections. The last ports of a block are used by
/// none: one is refused, and behind one this process listens until the block is disposed, so that neither another fixture nor another run
/// on this machine takes a block whose server is about to start, or is started again.
/// </summary>
internal sealed class Ports : IDisposable
{
    public const int BlockSize = 256;

    /// <summary>The last port for passive data connections, behind the first one of the block.</summary>
    public const int LastPassive = BlockSize - 3;

    /// <summary>A port to which no connection is ever possible, behind the first one of the block.</summary>
    public const int Refused = BlockSize - 1;

    private const int Guard = BlockSize - 2;

    // Below the range that outgoing connections take their ports from (32768 and up by default on Linux).
    private const int Lowest = 12_000;
    private const int Blocks = 78;

    private static readonly Lock Gate = new();

    // Another run on this machine most likely starts elsewhere.
    private static int _next = Random.Shared.Next(Blocks);

    private readonly TcpListener _guard;

    private Ports(int first, TcpListener guard) => (First, _guard) = (first, guard);

    /// <summary>The first port of the block.</summary>
    public int First { get; }

    public static Ports NextBlock()
    {
        lock (Gate)
        {
            for (var tries = 0; tries < Blocks; tries++)
            {
                var start = Lowest + (++_next % Blocks * BlockSize);
                var taken = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners();
                if (!taken.Any(point => InBlock(point, start)) && TryGuard(start + Guard) is { } guard) return new Ports(start, guard);
            }
        }

        throw new InvalidOperationException("No block of free ports is left.");
    }

    public void Dispose() => _guard.Dispose();

    private static TcpListener? TryGuard(int port)
    {
        var guard = new TcpListener(IPAddress.Loopback, port) { ExclusiveAddressUse = true };
        try
        {
            guard.Start(1);
            return guard;
        }
        catch (SocketException)
        {
            guard.Dispose();
            return null;
        }
    }

    private static bool InBlock(IPEndPoint point, int start) => point.Port >= start && point.Port < start + BlockSize;
}
