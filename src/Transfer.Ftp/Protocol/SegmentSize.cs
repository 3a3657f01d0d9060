using System.Net.Sockets;

namespace Transfer.Ftp.Protocol;

/// <summary>The number of bytes that one TCP segment of a connection carries.</summary>
internal static class SegmentSize
{
    /// <summary>
    /// The least size: IPv6's smallest MTU of 1,280 bytes leaves 1,208 to TCP with time stamps (RFC 8200 section 5, RFC 7323).
    /// </summary>
    public const int Smallest = 1208;

    // IPPROTO_TCP and TCP_MAXSEG, the same number on Linux and macOS.
    private const int Tcp = 6;
    private const int MaxSegment = 2;

    /// <summary>The size reported by the system, else <see cref="Smallest"/>.</summary>
    public static int Of(Socket socket)
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsMacOS()) return Smallest;
        try
        {
            Span<byte> value = stackalloc byte[sizeof(int)];
            return socket.GetRawSocketOption(Tcp, MaxSegment, value) == sizeof(int) ? Math.Max(BitConverter.ToInt32(value),
                Smallest) : Smallest;
        }
        catch (SocketException)
        {
            // Not a TCP socket, or a system that reports none: the smallest is always right.
            return Smallest;
        }
    }
}
