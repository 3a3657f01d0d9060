using System.Net;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Link.Tun;

namespace Transfer.Wan.Link;

/// <summary>One end of a link: its namespace, and its address on the link.</summary>
internal sealed class LinkEnd(NetworkNamespace network, IPAddress address) : ServerPlace
{
    public override IPAddress Address => address;

    public NetworkNamespace Network => network;

    public override T Inside<T>(Func<T> make) => network.Inside(make);
}
