using System.Globalization;
using System.Net;
using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Link.Tun;

/// <summary>The two namespaces of a link, with loopback up and TCP set so that one connection does not learn from another.</summary>
internal sealed class NamespacePair : IDisposable
{
    public NamespacePair()
    {
        Near = Create("near");
        Far = Create("far");
    }

    public NetworkNamespace Near { get; }

    public NetworkNamespace Far { get; }

    /// <summary>Gives an end's device its address and takes it up.</summary>
    public static void BringUp(NetworkNamespace end, string device, IPAddress address, params string[] settings) => end.Inside(() =>
    {
        Shell.Run("ip", "address", "add", $"{address}/24", "dev", device);
        Shell.Run("ip", ["link", "set", "dev", device, "mtu", "1500", "txqueuelen", "10000", .. settings, "up"]);
    });

    public void Dispose()
    {
        Near.Dispose();
        Far.Dispose();
    }

    private static NetworkNamespace Create(string end)
    {
        var made = NetworkNamespace.Create(string.Create(CultureInfo.InvariantCulture, $"{end}-end"));
        made.Inside(() => Shell.Run("ip", "link", "set", "dev", "lo", "up"));
        // Else the kernel keeps each connection's slow-start threshold for the next one to that host: the next client's.
        made.Tune("net/ipv4/tcp_no_metrics_save", "1");
        return made;
    }
}
