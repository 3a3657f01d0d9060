using Transfer.Wan.Link.Netem;
using Transfer.Wan.Link.Tun;

namespace Transfer.Wan.Link;

/// <summary>Makes the link that this machine can have.</summary>
internal static class LinkFactory
{
    private const int Seed = 1;

    /// <summary>Why there can be no link of packets; null: there can.</summary>
    public static string? WhyNot()
    {
        if (!OperatingSystem.IsLinux()) return "network namespaces are Linux's";
        if (!Environment.IsPrivilegedProcess) return "network namespaces need root";
        return File.Exists("/dev/net/tun") ? null : "there is no /dev/net/tun";
    }

    /// <summary>Makes one.</summary>
    /// <param name="settings">What it is to be at first.</param>
    /// <param name="useNetem">By the kernel's netem instead of ours.</param>
    /// <param name="congestionControl">What both ends use unless a socket asks for another; null: the system's.</param>
    public static WanLink Create(LinkSettings settings, bool useNetem, string? congestionControl)
    {
        WanLink link = useNetem ? NetemLink.Create(settings) : TunLink.Create(settings, Seed);
        if (congestionControl is null) return link;
        foreach (var end in new[] { link.Near, link.Far }) end.UseCongestionControl(congestionControl);
        return link;
    }
}
