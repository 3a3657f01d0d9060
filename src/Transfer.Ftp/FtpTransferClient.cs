using Transfer.Sessions;

namespace Transfer.Ftp;

/// <summary>Moves files over FTP (RFC 959) and FTPS (RFC 4217).</summary>
public sealed class FtpTransferClient : TransferClient
{
    /// <summary>Creates a client for <c>ftp:</c>, <c>ftpes:</c> (explicit TLS) or <c>ftps:</c> (implicit TLS, port 990); nothing is connected yet.</summary>
    public FtpTransferClient(Uri endpoint, FtpOptions? options = null)
        : base(endpoint, options ?? new FtpOptions())
    {
    }

    /// <inheritdoc/>
    protected override ValueTask<TransferSession> OpenSessionAsync(CancellationToken ct) => throw new NotImplementedException();
}
