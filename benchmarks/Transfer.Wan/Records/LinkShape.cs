namespace Transfer.Wan.Records;

/// <summary>What a link was asked to be, or showed itself to be.</summary>
internal sealed record LinkShape
{
    /// <summary>Round-trip time in milliseconds.</summary>
    public required double RoundTrip { get; init; }

    /// <summary>Rate in Mbit/s, each way.</summary>
    public required double Rate { get; init; }

    /// <summary>Most that a packet's delay differs from the half round trip, in milliseconds.</summary>
    public double Jitter { get; init; }

    /// <summary>Share of packets that are lost, each way: 0.002 is 0.2 %.</summary>
    public double Loss { get; init; }
}
