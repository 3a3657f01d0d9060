namespace Transfer.Wan.Records;

/// <summary>A link that was set up, and what it really gives: every link of a run, before the first measurement over it.</summary>
internal sealed record LinkChecked : WanRecord
{
    /// <summary>The link's name in the run's other lines: <c>100ms-500M-loss0.2</c>.</summary>
    public required string Link { get; init; }

    /// <summary>How the link is made: <c>tun</c>, <c>netem</c> or <c>in-process</c>.</summary>
    public required string Means { get; init; }

    public required LinkShape Asked { get; init; }

    public required LinkShape Given { get; init; }
}
