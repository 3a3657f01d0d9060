using Transfer.Sessions;

namespace Transfer.Tests.Replay;

/// <summary>A client whose sessions a scenario opens.</summary>
internal sealed class ReplayClient(string endpoint, TransferClientOptions options, Func<CancellationToken, ValueTask<TransferSession>> open)
    : TransferClient(new Uri(endpoint), options)
{
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) => open(cancellationToken);

    protected override bool IsSessionLimit(TransferException error) => error.Error == TransferError.Denied;
}
