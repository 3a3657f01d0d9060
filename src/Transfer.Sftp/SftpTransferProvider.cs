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
        _ => new SftpOptions
        {
            Dial = options.Dial,
            Credential = options.Credential,
            MaxSessions = options.MaxSessions,
            IdleTimeout = options.IdleTimeout,
            SessionLifetime = options.SessionLifetime,
            MaxBytesPerSecond = options.MaxBytesPerSecond,
            MaxBufferBytes = options.MaxBufferBytes,
            Pause = options.Pause,
            Retry = options.Retry,
            LoggerFactory = options.LoggerFactory,
            TimeProvider = options.TimeProvider,
        },
    });
}
