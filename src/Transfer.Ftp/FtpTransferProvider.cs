namespace Transfer.Ftp;

/// <summary>Makes clients for <c>ftp:</c>, <c>ftpes:</c> and <c>ftps:</c> URLs.</summary>
public sealed class FtpTransferProvider : ITransferProvider
{
    /// <inheritdoc/>
    public IReadOnlyCollection<string> Schemes { get; } = ["ftp", "ftpes", "ftps"];

    /// <inheritdoc/>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null) => new FtpTransferClient(endpoint, options switch
    {
        null => null,
        FtpOptions ftp => ftp,
        _ => new FtpOptions(options),
    });
}
