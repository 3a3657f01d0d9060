namespace Transfer.Sftp.Session;

/// <summary>Connects to a host and logs in.</summary>
internal sealed class SshConnector : ISshConnector
{
    private readonly string _host;
    private readonly int _port;

    public SshConnector(string host, int port)
    {
        _host = host;
        _port = port;
    }

    public ValueTask<ISshSessions> ConnectAsync(CancellationToken ct) =>
        throw new TransferConnectionException(TransferError.Unsupported, $"{_host}:{_port}: the SSH transport is not joined yet.");
}
