using System.Net;
using System.Net.NetworkInformation;

namespace Transfer.ServerTests.Servers;

/// <summary>Hands out blocks of free ports: one for control connections, the others for passive data connections.</summary>
internal static class Ports
{
    public const int BlockSize = 256;

    // Below the range that outgoing connections take their ports from (32768 and up by default on Linux).
    private const int First = 12_000;
    private const int Blocks = 78;

    // Another run on this machine most likely starts elsewhere.
    private static int _next = Random.Shared.Next(Blocks);

    public static int NextBlock()
    {
        for (var tries = 0; tries < Blocks; tries++)
        {
            var start = First + (Interlocked.Increment(ref _next) % Blocks * BlockSize);
            var taken = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners();
            if (!taken.Any(point => InBlock(point, start))) return start;
        }

        throw new InvalidOperationException("No block of free ports is left.");
    }

    private static bool InBlock(IPEndPoint point, int start) => point.Port >= start && point.Port < start + BlockSize;
}
