namespace Transfer.Wan.Records;

/// <summary>What a run was: its first line.</summary>
internal sealed record RunStarted : WanRecord
{
    /// <summary>The report's name: <c>latency</c>.</summary>
    public required string Report { get; init; }

    /// <summary>Fewer repeats, smaller data: under two minutes.</summary>
    public required bool Quick { get; init; }

    /// <summary>The command that repeats it: <c>./build.sh wan latency --quick</c>.</summary>
    public required string Command { get; init; }

    /// <summary>When it began, in UTC.</summary>
    public required DateTimeOffset Started { get; init; }

    /// <summary>The commit that was measured, with <c>+</c> where the tree had changes; null: not known.</summary>
    public string? Commit { get; init; }

    /// <summary>Processors, by name and number, and memory: never the machine's own name.</summary>
    public required string Machine { get; init; }

    /// <summary>The kernel's version.</summary>
    public required string Kernel { get; init; }

    /// <summary>The system's congestion control.</summary>
    public required string CongestionControl { get; init; }

    /// <summary>Versions of the runtime, the servers and the peers, by program.</summary>
    public required IReadOnlyDictionary<string, string> Versions { get; init; }
}
