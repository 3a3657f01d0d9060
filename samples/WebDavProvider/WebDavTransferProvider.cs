using Transfer;

namespace WebDavProvider;

/// <summary>Makes clients for <c>http:</c> and <c>https:</c> URLs, for a <see cref="TransferClientFactory"/>.</summary>
public sealed class WebDavTransferProvider : ITransferProvider
{
    /// <inheritdoc/>
    public IReadOnlyCollection<string> Schemes { get; } = ["http", "https"];

    /// <inheritdoc/>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null) => new WebDavTransferClient(endpoint, options);
}
