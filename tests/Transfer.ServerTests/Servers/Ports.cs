using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Transfer.ServerTests.Servers;

/// <summary>
/// Hands out blocks of free ports: one for control connections, the others for passive data connections. The last ports of a block are
/// used by none: one is refused, and behind one this process listens, so that another run on this machine takes no block whose server is
/// about to start, or is started again.
/// </summary>
internal static class Ports
{
    public const int BlockSize = 256;

    /// <summary>The last port for passive data connections, behind the first one of the block.</summary>
    public const int LastPassive = BlockSize - 3;

    /// <summary>A port to which no connection is ever possible, behind the first one of the block.</summary>
    public const int Refused = BlockSize - 1;

    private const int Guard = BlockSize - 2;

    // Below the range that outgoing connections take their ports from (32768 and up by default on Linux).
    private const int First = 12_000;
    private const int Blocks = 78;

    // Guards are for servers that are about to start; one that listens needs none, and a whole run has sixty servers at once.
    private const int MostGuards = 4;

    private static readonly Queue<TcpListener> Guards = new();
    private static readonly Lock Gate = new();

    // Another run on this machine most likely starts elsewhere.
    private static int _next = Random.Shared.Next(Blocks);

    public static int NextBlock()
    {
        lock (Gate)
        {
            for (var tries = 0; tries < Blocks; tries++)
            {
                var start = First + (++_next % Blocks * BlockSize);
                var taken = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners();
                if (!taken.Any(point => InBlock(point, start)) && TryGuard(start + Guard)) return start;
            }
        }

        throw new InvalidOperationException("No block of free ports is left.");
    }

    private static bool TryGuard(int port)
    {
        var guard = new TcpListener(IPAddress.Loopback, port) { ExclusiveAddressUse = true };
        try
        {
            guard.Start(1);
        }
        catch (SocketException)
        {
            guard.Dispose();
            return false;
        }

        Guards.Enqueue(guard);
        if (Guards.Count > MostGuards) Guards.Dequeue().Dispose();
        return true;
    }

    private static bool InBlock(IPEndPoint point, int start) => point.Port >= start && point.Port < start + BlockSize;
}
