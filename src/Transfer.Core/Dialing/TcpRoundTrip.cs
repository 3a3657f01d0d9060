using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Transfer.Dialing;

/// <summary>
/// The round trip of a connection as the kernel measured it, where the kernel reports one (Linux). A measurement of the application also
/// holds the time until the application woke, which on a busy machine is longer than a local network's round trip.
/// </summary>
internal static class TcpRoundTrip
{
    private const int IpProtoTcp = 6;
    private const int TcpInfo = 11;
    private const int RoundTripOffset = 68; // tcpi_rtt of struct tcp_info (linux/tcp.h), in microseconds

    /// <summary>The round trip; null: not known.</summary>
    public static TimeSpan? Of(Socket socket)
    {
        if (!OperatingSystem.IsLinux()) return null;
        Span<byte> info = stackalloc byte[RoundTripOffset + sizeof(uint)];
        try
        {
            if (socket.GetRawSocketOption(IpProtoTcp, TcpInfo, info) < info.Length) return null;
        }
        catch (SocketException)
        {
            // Some sandboxes don't have the option.
            return null;
        }
        return MemoryMarshal.Read<uint>(info[RoundTripOffset..]) is > 0 and var microseconds
            ? TimeSpan.FromMicroseconds(microseconds) : null;
    }
}
