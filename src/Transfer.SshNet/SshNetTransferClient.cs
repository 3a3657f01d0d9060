using Renci.SshNet;
using Transfer.Diagnostics;
using Transfer.Sessions;
using Transfer.Sftp;
using Transfer.SshNet.Session;

namespace Transfer.SshNet;

/// <summary>
/// Moves files over SSH.NET: an application keeps its code that makes connections, and gains jobs, synchronisation, resuming and parallel
/// sessions. Each session is an <see cref="SftpClient"/> of its own, which is never shared.
/// </summary>
/// <remarks>
/// SSH.NET resolves every path at the server before each request (REALPATH). Links are found by comparing the two paths, deleted and
/// renamed as links, and neither made nor read: their texts are resolved, too, so that <see cref="LinkHandling.Copy"/> fails with
/// <see cref="TransferError.Unsupported"/>. Unfinished files have the server's permissions for new files.
/// </remarks>
public sealed class SshNetTransferClient : TransferClient
{
    private readonly SshNetConnector _connector;

    /// <summary>Creates a client; nothing is connected yet.</summary>
    /// <param name="connect">
    /// Makes a <see cref="ConnectionInfo"/>: a new one each time, with authentication methods of its own, as sessions log in at the same
    /// time. Called once in the constructor, for the address.
    /// </param>
    /// <param name="path">The folder that relative paths begin in: absolute, or the log-in folder and below it (<c>/~/inbox</c>).</param>
    /// <param name="options">The options; null: the defaults, which check host keys against <c>known_hosts</c>.</param>
    /// <exception cref="ArgumentException">The path is relative, or holds CR, LF or NUL; or an option is invalid.</exception>
    public SshNetTransferClient(Func<ConnectionInfo> connect, string path = RemotePath.Home, SshNetOptions? options = null)
        : this(Clients(connect), path, options, hostKeys: new SshHostKeyOptions())
    {
    }

    /// <summary>Creates a client; nothing is connected yet.</summary>
    /// <param name="connect">
    /// Makes an <see cref="SftpClient"/>, with its handlers: a new one each time, which the sessions own from then on. Called once in the
    /// constructor, for the address. A handler of <see cref="BaseClient.HostKeyReceived"/> that pins the host key, or
    /// <see cref="SshNetOptions.HostKeys"/>, should be set: without either, SSH.NET trusts every key.
    /// </param>
    /// <param name="path">The folder that relative paths begin in: absolute, or the log-in folder and below it (<c>/~/inbox</c>).</param>
    /// <param name="options">The options; null: the defaults.</param>
    /// <exception cref="ArgumentException">The path is relative, or holds CR, LF or NUL; or an option is invalid.</exception>
    public SshNetTransferClient(Func<SftpClient> connect, string path = RemotePath.Home, SshNetOptions? options = null)
        : this(First(connect), connect, path, options, hostKeys: null)
    {
    }

    private SshNetTransferClient(Func<SftpClient> connect, string path, SshNetOptions? options, SshHostKeyOptions? hostKeys)
        : this(First(connect), connect, path, options, hostKeys)
    {
    }

    private SshNetTransferClient(SftpClient first, Func<SftpClient> connect, string path, SshNetOptions? options,
        SshHostKeyOptions? hostKeys)
        : base(first.ConnectionInfo.ToEndpoint(path), options ?? new SshNetOptions())
    {
        var logger = PrintableLogger.Create(Options.LoggerFactory, "Transfer.SshNet");
        _connector = new SshNetConnector(first, connect, Options, options?.HostKeys ?? hostKeys, logger);
    }

    /// <summary>
    /// Half of <see cref="TransferClientOptions.MaxSessions"/>: each session is a connection with a log-in of its own, and servers drop
    /// connections that log in together (OpenSSH's MaxStartups).
    /// </summary>
    protected override int UsualSessions => (Options.MaxSessions + 1) / 2;

    /// <inheritdoc/>
    protected override bool DividesUploads => false;

    /// <inheritdoc/>
    protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken) =>
        await _connector.OpenAsync(cancellationToken).ConfigureAwait(false);

    /// <summary>Whether a connection is dropped while others are open: the server allows no more of them.</summary>
    protected override bool IsSessionLimit(TransferException error) => _connector.IsLimit(error);

    /// <inheritdoc/>
    protected override ValueTask CloseAsync()
    {
        _connector.Dispose();
        return default;
    }

    private static Func<SftpClient> Clients(Func<ConnectionInfo> connect)
    {
        ArgumentNullException.ThrowIfNull(connect);
        return () => new SftpClient(connect());
    }

    private static SftpClient First(Func<SftpClient> connect)
    {
        ArgumentNullException.ThrowIfNull(connect);
        return connect();
    }
}
