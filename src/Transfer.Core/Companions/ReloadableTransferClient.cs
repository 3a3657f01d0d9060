using Transfer.Engine.Scheduling;
using Transfer.Sessions;

namespace Transfer.Companions;

/// <summary>
/// A client that another one replaces while applications hold this object: each operation begins and ends on the client that was current at
/// the beginning. For hosts whose settings change.
/// </summary>
public sealed class ReloadableTransferClient : TransferClient
{
    private readonly Func<TransferClient> _current;
    private readonly Func<ValueTask> _close;

    /// <param name="current">Returns the current client; called from any thread.</param>
    /// <param name="close">Closes all the clients that have been current. Called by every
    /// <see cref="TransferClient.DisposeAsync"/>.</param>
    public ReloadableTransferClient(Func<TransferClient> current, Func<ValueTask> close)
    {
        ArgumentNullException.ThrowIfNull(current);
        ArgumentNullException.ThrowIfNull(close);
        (_current, _close) = (current, close);
    }

    /// <inheritdoc/>
    public override Uri Endpoint => _current().Endpoint;

    /// <inheritdoc/>
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) =>
        throw new NotSupportedException("The current client opens the sessions.");

    /// <inheritdoc/>
    protected override ValueTask CloseAsync() => _close();

    internal override ClientEngine Engine => _current().Engine;

    internal override string Resolve(string path) => _current().Resolve(path);
}
