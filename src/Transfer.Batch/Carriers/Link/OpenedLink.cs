using Transfer.Batch.Carriers.Link.Messages;

namespace Transfer.Batch.Carriers.Link;

/// <summary>A connection on which this side has said hello.</summary>
/// <param name="Connection">The connection; whoever takes it disposes of it.</param>
/// <param name="Check">Judges the other side's hello; throws when it proves nothing.</param>
internal sealed record OpenedLink(LinkConnection Connection, Action<HelloMessage> Check)
{
    /// <summary>Whether the receiver has files that it may be asked for; null: it says so when it takes the job on.</summary>
    public bool? HasFiles { get; init; }
}
