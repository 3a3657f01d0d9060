using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A connection on which this side has said hello.</summary>
/// <param name="Connection">The connection; whoever takes it disposes of it.</param>
/// <param name="Check">Judges the other side's hello; throws when it proves nothing.</param>
internal sealed record OpenedLink(LinkConnection Connection, Action<HelloMessage> Check)
{
    /// <summary>How long the log-in may take, which ends when the receiver has taken the job on; zero or less: no limit.</summary>
    public TimeSpan LogInTimeout { get; init; }

    /// <summary>How much of it opening the connection took.</summary>
    public TimeSpan LogInTime { get; init; }

    /// <summary>Whether the receiver has files that it may be asked for; null: it says so when it takes the job on.</summary>
    public bool? HasFiles { get; init; }
}
