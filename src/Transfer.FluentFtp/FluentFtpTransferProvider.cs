using FluentFTP;

namespace Transfer.FluentFtp;

/// <summary>
/// Makes clients over FluentFTP for <c>ftp:</c>, <c>ftpes:</c> and <c>ftps:</c> URLs, in place of Transfer.Ftp's provider.
/// </summary>
public sealed class FluentFtpTransferProvider : ITransferProvider
{
    private readonly Action<AsyncFtpClient>? _configure;

    /// <summary>Creates a provider.</summary>
    /// <param name="configure">Changes each new client, after host, port, log-in and encryption are set; null: no changes.</param>
    public FluentFtpTransferProvider(Action<AsyncFtpClient>? configure = null) => _configure = configure;

    /// <inheritdoc/>
    public IReadOnlyCollection<string> Schemes { get; } = ["ftp", "ftpes", "ftps"];

    /// <inheritdoc/>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        options ??= new TransferClientOptions();
        var credential = options.Credential ?? CredentialOf(endpoint);
        return new FluentFtpTransferClient(endpoint, _ =>
            Task.FromResult(CreateClient(endpoint, credential)), options with { Credential = null });
    }

    private AsyncFtpClient CreateClient(Uri endpoint, TransferCredential? credential)
    {
        var client = new AsyncFtpClient(endpoint.IdnHost, Math.Max(0, endpoint.Port));
        if (credential is not null) client.Credentials = new(credential.UserName, credential.Password);
        client.Config.EncryptionMode = endpoint.Scheme switch
        {
            "ftpes" => FtpEncryptionMode.Explicit,
            "ftps" => FtpEncryptionMode.Implicit,
            _ => FtpEncryptionMode.None,
        };
        _configure?.Invoke(client);
        return client;
    }

    // The URL's user information (RFC 3986 section 3.2.1).
    private static TransferCredential? CredentialOf(Uri endpoint)
    {
        if (endpoint.UserInfo.Length == 0) return null;
        var parts = endpoint.UserInfo.Split(':', 2);
        var password = parts.Length == 2 ? Uri.UnescapeDataString(parts[1]) : string.Empty;
        return new TransferCredential(Uri.UnescapeDataString(parts[0]), password);
    }
}
