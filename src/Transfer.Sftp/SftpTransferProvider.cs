namespace Transfer.Sftp;

/// <summary>Makes clients for <c>sftp:</c> URLs.</summary>
public sealed class SftpTransferProvider : ITransferProvider
{
    /// <inheritdoc/>
    public IReadOnlyCollection<string> Schemes { get; } = ["sftp"];

    /// <inheritdoc/>
    public TransferClient Create(Uri endpoint, TransferClientOptions? options = null) => new SftpTransferClient(endpoint, options switch
    {
        null => null,
        SftpOptions sftp => sftp,
        _ => new SftpOptions(options),
    });
}
