using Transfer.Wan.Records;

namespace Transfer.Wan.Scenarios.Catalog;

/// <summary>The links of the reports.</summary>
internal static class WanLinks
{
    /// <summary>Where small files show their waiting.</summary>
    public static LinkShape Small { get; } = new() { RoundTrip = 100, Rate = 100 };

    /// <summary>Where one large file shows its windows.</summary>
    public static LinkShape Large { get; } = new() { RoundTrip = 100, Rate = 500 };

    public static LinkShape LargeLossy { get; } = Large with { Loss = 0.002 };

    /// <summary>The round trip at which the .NET fix is shown.</summary>
    public static LinkShape Fix { get; } = new() { RoundTrip = 80, Rate = 100 };

    public static LinkShape Gigabit { get; } = new() { RoundTrip = 100, Rate = 1000 };

    public static LinkShape Lan { get; } = new() { RoundTrip = 1, Rate = 1000 };

    /// <summary>Document 2's: 10 % jitter (of the round trip, half each way) and 0.2 % loss.</summary>
    public static LinkShape Latency(double roundTrip) =>
        new() { RoundTrip = roundTrip, Rate = 1000, Jitter = roundTrip * 0.05, Loss = 0.002 };
}
