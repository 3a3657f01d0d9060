using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>The address by which other machines most likely reach this one.</summary>
internal static class OwnAddress
{
    // From the ranges for documentation (RFC 5737, RFC 3849): nothing is sent, only the route is looked up.
    private static readonly IPAddress[] OutsideAddresses = [IPAddress.Parse("192.0.2.1"), IPAddress.Parse("2001:db8::1")];

    /// <summary>Returns the address for peers of a socket that listens at the given one.</summary>
    public static string For(IPAddress listening)
    {
        if (!listening.Equals(IPAddress.Any) && !listening.Equals(IPAddress.IPv6Any)) return listening.ToString();
        foreach (var elsewhere in OutsideAddresses)
        {
            if (listening.Equals(IPAddress.Any) && elsewhere.AddressFamily != AddressFamily.InterNetwork) continue;
            if (LocalAddressTowards(elsewhere) is { } own) return own.ToString();
        }
        return NetworkInterface.GetAllNetworkInterfaces()
            .Where(card => card.OperationalStatus == OperationalStatus.Up)
            .SelectMany(card => card.GetIPProperties().UnicastAddresses)
            .Select(unicast => unicast.Address)
            .Where(address => address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(address))
            .Append(IPAddress.Loopback)
            .First().ToString();
    }

    private static IPAddress? LocalAddressTowards(IPAddress elsewhere)
    {
        try
        {
            using var socket = new Socket(elsewhere.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(elsewhere, 9);
            return ((IPEndPoint)socket.LocalEndPoint!).Address;
        }
        catch (SocketException)
        {
            // There is no route.
            return null;
        }
    }
}
