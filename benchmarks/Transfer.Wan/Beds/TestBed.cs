using Transfer.ServerTests.Servers;
using Transfer.Wan.Link;
using Transfer.Wan.Records;
using Transfer.Wan.Scenarios;
using Transfer.Wan.Servers;

namespace Transfer.Wan.Beds;

/// <summary>A link with servers behind it: where scenarios run.</summary>
internal abstract class TestBed : IAsyncDisposable
{
    /// <summary>The congestion control of the clients' side.</summary>
    public abstract string CongestionControl { get; }

    /// <summary>Clients can be shut in, so that none outlives the run; that takes root.</summary>
    public abstract bool CanShutIn { get; }

    /// <summary>What the link has cost in processor seconds so far; null: not known.</summary>
    public abstract double? ProcessorSeconds { get; }

    /// <summary>What the clients' side has sent and received over the link so far; null: not known.</summary>
    public virtual LinkTraffic? Traffic => null;

    /// <summary>Why a scenario cannot run here; null: it can.</summary>
    public abstract string? WhyNot(Scenario scenario);

    /// <summary>Why a client cannot be measured here though it is installed; null: it can.</summary>
    public virtual string? WhyNot(string client) => null;

    /// <summary>Makes the link what the scenario asks for; gives its check when it is new in this run.</summary>
    public abstract Task<LinkChecked?> PrepareAsync(LinkShape shape);

    /// <summary>The scenario's server, started if need be.</summary>
    public abstract Task<ServerAccess> ServerAsync(Scenario scenario);

    /// <summary>Where the scenario's clients run.</summary>
    public abstract ServerPlace ClientPlace(Scenario scenario);

    /// <summary>Where what a client needs at the other end runs.</summary>
    public abstract ServerPlace FarPlace { get; }

    public abstract ValueTask DisposeAsync();
}
