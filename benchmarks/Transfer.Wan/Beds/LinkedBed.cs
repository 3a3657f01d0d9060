using Transfer.ServerTests.Servers;
using Transfer.Wan.Link;
using Transfer.Wan.Link.Probes;
using Transfer.Wan.Records;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Beds;

/// <summary>Real servers at the far end of a link, each client at the near one.</summary>
internal sealed class LinkedBed(WanLink link) : TestBed
{
    private readonly FarServers _servers = new(link.Far);
    private readonly HashSet<string> _checked = [];

    public override string CongestionControl => link.Near.CongestionControl;

    public override bool CanShutIn => true;

    public override double? ProcessorSeconds => link.ProcessorSeconds;

    public override LinkTraffic? Traffic => link.Near.Traffic;

    public override string? WhyNot(Scenario scenario) => FarServers.WhyNot(scenario.Server);

    public override async Task<LinkChecked?> PrepareAsync(LinkShape shape)
    {
        await link.ReshapeAsync(LinkSettings.For(shape));
        var name = LinkNames.Of(shape);
        return _checked.Add(name)
            ? new LinkChecked { Link = name, Means = link.Means, Asked = shape, Given = await new LinkProbe(link).MeasureAsync(shape) }
            : null;
    }

    public override Task<ServerAccess> ServerAsync(Scenario scenario) => _servers.GetAsync(scenario.Server, scenario.Protocol);

    /// <summary>Over loopback both ends are the far one.</summary>
    public override ServerPlace ClientPlace(Scenario scenario) => scenario.Link is null ? link.Far : link.Near;

    public override ServerPlace FarPlace => link.Far;

    public override async ValueTask DisposeAsync()
    {
        await _servers.DisposeAsync();
        await link.DisposeAsync();
    }
}
