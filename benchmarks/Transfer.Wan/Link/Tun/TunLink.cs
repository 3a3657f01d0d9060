using System.Globalization;
using Transfer.ServerTests.Servers;

namespace Transfer.Wan.Link.Tun;

/// <summary>
/// The link in user space: two namespaces, a TUN device in each, and a thread for each way between them. Nothing of it has a name outside,
/// so nothing is left of it when this process ends, however it does.
/// </summary>
internal sealed class TunLink : WanLink
{
    private const string Device = "wan0";

    // A super-packet leaves when its last segment would: at most a millisecond of the link late, so that its first segment is not held back
    // for long.
    private const double LongestSuperPacket = 0.001;
    private const int MinimumSuperPacket = 2 * 1500;
    private const int MaximumSuperPacket = 65536;

    private readonly NamespacePair _pair;
    private readonly TunDevice[] _devices;
    private readonly LinkPump[] _pumps;

    private TunLink(NamespacePair pair, TunDevice[] devices, LinkPump[] pumps)
    {
        _pair = pair;
        _devices = devices;
        _pumps = pumps;
        Near = new LinkEnd(pair.Near, Device, NearAddress);
        Far = new LinkEnd(pair.Far, Device, FarAddress);
    }

    public override string Means => "tun";

    public override LinkEnd Near { get; }

    public override LinkEnd Far { get; }

    public override double? ProcessorSeconds => _pumps.Sum(pump => pump.ProcessorSeconds);

    /// <summary>Bytes that came out at either end, without Ethernet's headers.</summary>
    public long Bytes => _pumps.Sum(pump => pump.Bytes);

    /// <summary>Packets that came out at either end, a super-packet counting once.</summary>
    public long Packets => _pumps.Sum(pump => pump.Packets);

    /// <summary>Packets that the kernel did not take.</summary>
    public long Refused => _pumps.Sum(pump => pump.Refused);

    /// <summary>Makes the link. Needs root, or the root of a user namespace.</summary>
    /// <param name="settings">What it is to be.</param>
    /// <param name="seed">For losses and jitter; each way has its own.</param>
    public static TunLink Create(LinkSettings settings, int seed)
    {
        var pair = new NamespacePair();
        var near = pair.Near.Inside(() => TunDevice.Create(Device));
        var far = pair.Far.Inside(() => TunDevice.Create(Device));
        NamespacePair.BringUp(pair.Near, Device, NearAddress);
        NamespacePair.BringUp(pair.Far, Device, FarAddress);
        var link = new TunLink(pair, [near, far],
            [new LinkPump("link-up", near, far, settings, seed), new LinkPump("link-down", far, near, settings, seed + 1)]);
        link.LimitSuperPackets(settings);
        return link;
    }

    public override async Task ReshapeAsync(LinkSettings settings)
    {
        LimitSuperPackets(settings);
        foreach (var pump in _pumps) await pump.ReshapeAsync(settings);
    }

    public override ValueTask DisposeAsync()
    {
        foreach (var pump in _pumps) pump.Dispose();
        foreach (var device in _devices) device.Dispose();
        _pair.Dispose();
        return ValueTask.CompletedTask;
    }

    private void LimitSuperPackets(LinkSettings settings)
    {
        var bytes = settings.Shape.Rate > 0 ? settings.Shape.Rate * 125_000 * LongestSuperPacket : MaximumSuperPacket;
        var limit = Math.Clamp((int)bytes, MinimumSuperPacket, MaximumSuperPacket).ToString(CultureInfo.InvariantCulture);
        foreach (var end in new[] { _pair.Near, _pair.Far })
            end.Inside(() => Shell.Run("ip", "link", "set", "dev", Device, "gso_max_size", limit));
    }
}
