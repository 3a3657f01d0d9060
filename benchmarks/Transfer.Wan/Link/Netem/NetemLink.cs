using System.Globalization;
using Transfer.ServerTests.Servers;
using Transfer.Wan.Link.Tun;

namespace Transfer.Wan.Link.Netem;

/// <summary>
/// The link by the kernel's netem at both ends of a veth pair. Super-packets are turned off: netem loses whatever it is handed as one
/// packet. Its jitter
/// may reorder packets, which ours never does.
/// </summary>
internal sealed class NetemLink : WanLink
{
    private const string NearDevice = "wan0";
    private const string FarDevice = "wan1";

    private readonly NamespacePair _pair;

    private NetemLink(NamespacePair pair)
    {
        _pair = pair;
        Near = new LinkEnd(pair.Near, NearDevice, NearAddress);
        Far = new LinkEnd(pair.Far, FarDevice, FarAddress);
    }

    public override string Means => "netem";

    public override LinkEnd Near { get; }

    public override LinkEnd Far { get; }

    public override double? ProcessorSeconds => null;

    /// <summary>Makes the link; throws where the kernel has no netem.</summary>
    public static NetemLink Create(LinkSettings settings)
    {
        var pair = new NamespacePair();
        pair.Near.Inside(
            () => Shell.Run("ip", "link", "add", NearDevice, "type", "veth", "peer", "name", FarDevice, "netns", pair.Far.Path));
        NamespacePair.BringUp(pair.Near, NearDevice, NearAddress, "gso_max_segs", "1");
        NamespacePair.BringUp(pair.Far, FarDevice, FarAddress, "gso_max_segs", "1");
        var link = new NetemLink(pair);
        link.Shape("add", settings);
        return link;
    }

    /// <summary>The words of <c>tc qdisc</c> behind the device.</summary>
    public static IReadOnlyList<string> Discipline(LinkSettings settings)
    {
        var shape = settings.Shape;
        List<string> words = ["root", "netem", "delay", Invariant($"{shape.RoundTrip / 2}ms")];
        if (shape.Jitter > 0) words.Add(Invariant($"{shape.Jitter}ms"));
        if (shape.Loss > 0) words.AddRange(["loss", Invariant($"{shape.Loss * 100}%")]);
        if (shape.Rate > 0) words.AddRange(["rate", Invariant($"{shape.Rate}mbit")]);
        // Its limit counts packets, those under way included.
        var bytes = settings.Queue + (shape.Rate * 125 * shape.RoundTrip / 2);
        words.AddRange(["limit", Invariant($"{Math.Max(1000, (long)bytes / 1500)}")]);
        return words;
    }

    public override Task ReshapeAsync(LinkSettings settings)
    {
        Shape("change", settings);
        return Task.CompletedTask;
    }

    public override ValueTask DisposeAsync()
    {
        _pair.Dispose();
        return ValueTask.CompletedTask;
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private void Shape(string verb, LinkSettings settings)
    {
        foreach (var (network, device) in new[] { (_pair.Near, NearDevice), (_pair.Far, FarDevice) })
            network.Inside(() => Shell.Run("tc", ["qdisc", verb, "dev", device, .. Discipline(settings)]));
    }
}
