using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Transfer.Cli.Options;

/// <summary>
/// Parses the value of <c>--listen</c>: <c>192.0.2.1:4780</c>, <c>[2001:db8::1]:4780</c> or <c>:4780</c> for all addresses.
/// </summary>
internal static class ListenAddress
{
    public static IPEndPoint Parse(string text)
    {
        if (text.StartsWith(':') && ushort.TryParse(text.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var port))
            return new IPEndPoint(Socket.OSSupportsIPv6 ? IPAddress.IPv6Any : IPAddress.Any, port);
        // Without a port IPEndPoint takes 0, and the last group of an IPv6 address without brackets for a part of it.
        var colon = text.LastIndexOf(':');
        var bracket = text.LastIndexOf(']');
        if (colon > 0 && colon > bracket
            && (bracket >= 0 || text.IndexOf(':', StringComparison.Ordinal) == colon) && IPEndPoint.TryParse(text, out var endPoint))
        {
            return endPoint;
        }

        throw new UsageException(
            "--listen wants an IP address and a port: 192.0.2.1:4780, [2001:db8::1]:4780, or :4780 for all addresses.");
    }
}
