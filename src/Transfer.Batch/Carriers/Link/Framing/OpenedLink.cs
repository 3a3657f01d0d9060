using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link.Framing;

/// <summary>A connection on which this side has sent the hello.</summary>
/// <param name="Connection">The connection; the user disposes of it.</param>
/// <param name="Check">Checks the other side's hello; throws when the proof is wrong.</param>
internal sealed record OpenedLink(LinkConnection Connection, Action<HelloMessage> Check)
{
    /// <summary>How long the log-in may take, which ends when the receiver has taken the job on; zero or less: no limit.</summary>
    public TimeSpan LogInTimeout { get; init; }

    /// <summary>The part of the log-in time that opening the connection took.</summary>
    public TimeSpan LogInTime { get; init; }

    /// <summary>Whether the receiver has files, for requests of hashes; null: known once the job is accepted.</summary>
    public bool? HasFiles { get; init; }
}
