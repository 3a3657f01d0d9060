using System.Net;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Link.Tun;

namespace Transfer.Wan.Link;

/// <summary>One end of a link: its namespace, and its address on the link.</summary>
internal sealed class LinkEnd(NetworkNamespace network, string device, IPAddress address) : ServerPlace
{
    public override IPAddress Address => address;

    public NetworkNamespace Network => network;

    /// <summary>What it has sent and received so far.</summary>
    // The namespace is its thread's; /proc/net would be that of the process.
    public LinkTraffic Traffic => network.Inside(() => LinkTraffic.Of(device, File.ReadAllLines("/proc/thread-self/net/dev")));

    /// <summary>
    /// What connections use unless their socket asks for another; of the routes, because a namespace's default may only be one that anybody
    /// may use.
    /// </summary>
    public string CongestionControl { get; private set; } = network.Parameter("net/ipv4/tcp_congestion_control");

    public void UseCongestionControl(string name)
    {
        var own = address.ToString();
        network.Inside(() =>
        {
            Shell.Run("ip", "route", "replace", WanLink.Subnet, "dev", device, "proto", "kernel", "scope", "link", "src", own, "congctl",
                name);
            Shell.Run("ip", "route", "replace", "local", own, "table", "local", "dev", device, "proto", "kernel", "scope", "host", "src",
                own, "congctl", name);
        });
        CongestionControl = name;
    }

    public override T Inside<T>(Func<T> make) => network.Inside(make);
}
