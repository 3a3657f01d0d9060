namespace Transfer;

/// <summary>Makes clients for <c>file:</c> URLs.</summary>
public sealed class LocalTransferProvider : ITransferProvider
{
    /// <inheritdoc/>
    public IReadOnlyCollection<string> Schemes { get; } = ["file"];

    /// <inheritdoc/>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null) =>
        new LocalTransferClient(endpoint, options as LocalTransferOptions ?? (options is null ? null : new LocalTransferOptions(options)));
}
