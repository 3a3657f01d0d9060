using Microsoft.Extensions.Logging;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;
using Transfer.Sftp;

namespace Transfer.Cli.Connections;

/// <summary>Makes clients for <c>sftp:</c>, as the options say, and holds the keys they log in with.</summary>
internal sealed class SftpClients(CommandHost host, Messages messages, ConnectionSettings settings, ILoggerFactory loggers) : IDisposable
{
    private readonly SshIdentities _identities = new(host, messages, loggers);

    /// <summary>Refuses options that are for certificates, or contradict each other.</summary>
    public void Check(LoginArguments arguments)
    {
        if (arguments.AccountFile is not null)
            throw new UsageException($"{arguments.Prefix}account-file is for FTP, and sftp: has no use for it.");
        if (arguments.CertificateOption is { } option)
            throw new UsageException($"{option} is about certificates of TLS, and sftp: has none.");
        if (arguments.Insecure)
        {
            throw new UsageException(
                $"{arguments.Prefix}insecure is about certificates, and sftp: has host keys; {arguments.Prefix}pin or "
                + "--accept-new-host-key may serve.");
        }

        if (arguments.Pins.Count > 0 && settings.AcceptNewHostKey)
            throw new UsageException($"--accept-new-host-key and {arguments.Prefix}pin contradict each other.");
    }

    public async ValueTask<SftpTransferClient> CreateAsync(TransferUrl url, LoginArguments arguments, Login login, CancellationToken ct)
    {
        var config = Config();
        (IReadOnlyList<SshIdentity> Keys, IReadOnlyList<string> Files) identities =
            config is null || arguments.Identities.Count > 0 ? await _identities.LoadAsync(arguments, ct) : ([], []);
        var options = new SftpOptions
        {
            // A configuration may know who is meant where nobody is named, and which keys.
            Credential = config is null || login.UserIsNamed
                ? login.Credential : new TransferCredential(string.Empty, login.Credential!.Password),
            Identities = identities.Keys,
            IdentityFiles = identities.Files,
            Config = config,
            Jump = arguments.Jump,
            Agent = Agent(arguments.Identities.Count > identities.Files.Count ? SshAgentUse.Never : SshAgentUse.IfPresent),
            HostKeys = new SshHostKeyOptions
            {
                KnownHostsFiles = settings.KnownHosts is { } file ? [file] : null,
                Pins = arguments.Pins,
                AcceptNew = settings.AcceptNewHostKey,
                Decide = new HostKeyAnswers(host, messages, arguments, url).DecideAsync,
            },
            // Without a terminal a password that was given is all there is, and its refusal the last word.
            Interaction = host.ReadSecret is null && login.HasSecret
                ? null
                : new SshAnswers(host, messages, arguments.Prefix, login.TakesVariable).AnswerAsync,
            Algorithms = settings.Algorithms,
            Compatibility = settings.IsPlain ? SftpCompatibility.Plainest : new(),
            Encoding = settings.Encoding,
            Dial = new DialOptions { Proxy = settings.Proxy },
            Retry = settings.Retry,
            MaxBytesPerSecond = settings.Limit.Rate,
            RateSchedule = settings.Limit.Schedule,
            LimitsFile = StateFolder.Limits(host),
            RemembersSessionLimits = settings.Sessions is null,
            LoggerFactory = loggers,
            TimeProvider = host.TimeProvider,
        };
        if (settings.Sessions is { } sessions) options = options with { MaxSessions = sessions };
        if (settings.MaxListing is { } most) options = options with { MaxListingBytes = most };
        if (settings.LogInTimeout is { } logIn) options = options with { LogInTimeout = logIn };
        if (settings.Timeout is { } timeout)
            options = options with { IdleTimeout = timeout, Dial = options.Dial with { ConnectTimeout = timeout } };
        return new SftpTransferClient(url.Endpoint(implicitTls: false), options);
    }

    // An agent may ask a person, but for no longer than a log-in may take.
    private SshAgentOptions Agent(SshAgentUse use)
    {
        var agent = new SshAgentOptions { Use = use };
        return settings.LogInTimeout is { Ticks: > 0 } limit && limit < agent.SignTimeout ? agent with { SignTimeout = limit } : agent;
    }

    /// <summary>What OpenSSH would read; nothing for whoever has no home.</summary>
    private SshConfigOptions? Config()
    {
        if (settings.SshConfig == ConnectionSettings.None) return null;
        if (settings.SshConfig is { } named) return new SshConfigOptions { Files = [named], HomeDirectory = host.HomeDirectory };
        if (host.HomeDirectory.Length == 0) return null;
        var own = Path.Combine(host.HomeDirectory, ".ssh", "config");
        return new SshConfigOptions
        {
            Files = host.SystemSshConfig is { } system ? [own, system] : [own],
            HomeDirectory = host.HomeDirectory
        };
    }

    public void Dispose() => _identities.Dispose();
}
