using System.Text;
using Transfer.Diagnostics;
using Transfer.Pooling;
using Transfer.Sessions;
using Transfer.Sftp.Routes;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp;

/// <summary>Moves files over SFTP (draft-ietf-secsh-filexfer-02, version 3) on an SSH connection of its own.</summary>
/// <remarks>
/// Besides <c>/~/</c>, <c>/~user/</c> is that user's log-in folder where the server resolves it (expand-path@openssh.com); elsewhere, and
/// in <c>/./~user</c>, the text is a plain name.
/// </remarks>
public sealed class SftpTransferClient : TransferClient, IRemoteCommands
{
    private readonly SftpConnector _connector;
    private readonly SshRoute? _route;
    private readonly ServerMemory? _memory;
    private volatile bool _opened;

    /// <summary>Creates a client for <c>sftp:</c>; nothing is connected yet.</summary>
    /// <exception cref="ArgumentException">Another scheme, or invalid options.</exception>
    public SftpTransferClient(Uri endpoint, SftpOptions? options = null)
        : this(endpoint, options, null)
    {
    }

    internal SftpTransferClient(Uri endpoint, SftpOptions? options, ISshConnector? connector)
        : base(endpoint, options ?? new SftpOptions())
    {
        if (Endpoint.Scheme != "sftp") throw new ArgumentException($"{Endpoint.Scheme} is not an SFTP scheme: sftp.", nameof(endpoint));
        var sftp = (SftpOptions)Options;
        RequireOneOrMore(sftp.SessionsPerConnection, nameof(SftpOptions.SessionsPerConnection));
        RequireOneOrMore(sftp.Connections, nameof(SftpOptions.Connections));
        var logger = PrintableLogger.Create(Options.LoggerFactory, "Transfer.Sftp");
        var host = Endpoint.HostNameType == UriHostNameType.IPv6 ? Endpoint.Host.Trim('[', ']') : Endpoint.IdnHost;
        var segments = new SegmentPool();
        if (connector is null)
        {
            connector = _route = new SshRoute(new SshJumpHost(host)
            {
                Port = Endpoint.Port > 0 ? Endpoint.Port : null,
                Credential = Credential
            }, sftp, segments, LearnRoundTrip, logger);
        }

        _memory = ServerMemory.Of(Endpoint, Options);
        _connector = new SftpConnector(connector, sftp, segments, () => PayingLogIns, logger, _memory, CloseIdleSessionsAsync);
    }

    private static void RequireOneOrMore(int value, string property)
    {
        if (value < 1) throw new ArgumentOutOfRangeException(property, value, $"SftpOptions.{property} must be 1 or more.");
    }

    Encoding IRemoteCommands.Names => ((SftpOptions)Options).Encoding ?? NameEncoding.LosslessUtf8;

    /// <inheritdoc/>
    public async ValueTask<RemoteCommand> StartAsync(string command, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(command);
        // A failed log-in is reported, and by the pool, which decides whether to retry. Later there is no session to wait for.
        if (!_opened) await ConnectAsync(cancellationToken).ConfigureAwait(false);
        return new ChannelCommand(await _connector.OpenCommandAsync(command, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>
    /// Half of <see cref="TransferClientOptions.MaxSessions"/>: each session keeps hundreds of files under way, and each connection costs
    /// the server's processors.
    /// </summary>
    protected override int UsualSessions => (Options.MaxSessions + 1) / 2;

    /// <summary>Connection, versions and proposals, key exchange, log-in, session.</summary>
    protected override int LogInRoundTrips => 5;

    /// <inheritdoc/>
    protected override int FilesAtOnce => SftpWorkRunner.MostFiles;

    /// <summary>Sessions are channels, of which a connection has several.</summary>
    protected override bool SharesLogIns => ((SftpOptions)Options).SessionsPerConnection > 1;

    /// <inheritdoc/>
    protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken)
    {
        var session = await _connector.OpenAsync(cancellationToken).ConfigureAwait(false);
        _opened = true;
        return session;
    }

    /// <summary>Forgets the keys that the client has read.</summary>
    protected override async ValueTask CloseAsync()
    {
        _route?.Dispose();
        if (_memory is not null) await _memory.Written.ConfigureAwait(false);
    }

    /// <summary>Whether a connection or channel is refused beside open ones: the server allows no more of them.</summary>
    protected override bool IsSessionLimit(TransferException error) => _connector.IsLimit(error);
}
