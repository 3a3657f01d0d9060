namespace Transfer.Wan.Records;

/// <summary>What a report would have measured and could not: a client that is not installed, a server that only root can start.</summary>
internal sealed record LeftOut : WanRecord
{
    /// <summary>The scenario, or the row of a report.</summary>
    public required string Scenario { get; init; }

    /// <summary>The client; null: all of them.</summary>
    public string? Client { get; init; }

    /// <summary>Why, for the reader.</summary>
    public required string Why { get; init; }
}
