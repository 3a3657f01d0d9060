using Microsoft.Extensions.Logging;
using Transfer.Dialing;
using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Agent;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh;

namespace Transfer.Sftp.Session;

/// <summary>Connects to the endpoint's host and logs in with what the options have: keys given, keys of the agent, then the password or answers.</summary>
internal sealed class SshHost : ISshConnector
{
    private readonly SftpOptions _options;
    private readonly SshConnectionSettings _settings;
    private readonly SshAgent _agent;

    public SshHost(string host, int port, TransferCredential? credential, SftpOptions options, ILogger logger)
    {
        _options = options;
        _agent = new SshAgent(options.Agent, options.TimeProvider, logger);
        _settings = new SshConnectionSettings
        {
            Host = host,
            Port = port,
            // As OpenSSH: who names nobody is who he is here.
            User = credential is { UserName.Length: > 0 } named ? named.UserName : Environment.UserName,
            Credential = credential is { Password.Length: > 0 } ? credential : null,
            Dialer = new Dialer(options.Dial, logger, options.TimeProvider),
            DialHints = new DialHints { Sends = true },
            Trust = new HostTrust(options.HostKeys, options.TimeProvider, logger),
            Interaction = options.Interaction,
            Algorithms = options.Algorithms,
            IdleTimeout = options.IdleTimeout,
            Logger = logger,
            TimeProvider = options.TimeProvider,
        };
    }

    public async ValueTask<ISshSessions> ConnectAsync(CancellationToken ct)
    {
        IReadOnlyList<ISshSigner> agent;
        try
        {
            agent = await _agent.ListAsync(ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            throw new TransferConnectionException(e.Error, e.Message, e);
        }

        // A key that is in a file and in the agent is tried once: servers count attempts.
        var signers = _options.Identities.SelectMany(identity => identity.Signers).Concat(agent).DistinctBy(signer => Convert.ToBase64String(signer.PublicKey.Blob.Span));
        return new SshSessions(await SshConnection.ConnectAsync(_settings with { Signers = [.. signers] }, ct).ConfigureAwait(false));
    }
}
