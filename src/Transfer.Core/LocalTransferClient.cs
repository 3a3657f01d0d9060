using Transfer.Sessions;

namespace Transfer;

/// <summary>
/// The local file system behind a <c>file:</c> URL (RFC 8089), with the semantics of every other client. The endpoint's path is
/// the root: <c>/</c> in a path is that folder, and nothing outside it can be reached.
/// </summary>
public sealed class LocalTransferClient : TransferClient
{
    /// <summary>Creates a client for a folder.</summary>
    public LocalTransferClient(Uri endpoint, LocalTransferOptions? options = null)
        : base(endpoint, options)
    {
    }

    /// <inheritdoc/>
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct) => throw new NotImplementedException();
}
