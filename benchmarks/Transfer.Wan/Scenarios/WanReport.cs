namespace Transfer.Wan.Scenarios;

/// <summary>What is measured for one report.</summary>
internal sealed record WanReport
{
    public required string Name { get; init; }

    /// <summary>All of it, in ten minutes or so.</summary>
    public required IReadOnlyList<Scenario> Full { get; init; }

    /// <summary>As much as goes into less than two minutes.</summary>
    public required IReadOnlyList<Scenario> Quick { get; init; }

    /// <summary>Files are kept in memory at both ends: what is measured is not the disk.</summary>
    public bool IsInMemory { get; init; }
}
