using Transfer.Ftp;
using Transfer.Sftp;

namespace Transfer.PowerShell.Clients;

/// <summary>Makes a client of a cmdlet's parameters, and holds the keys of its log-in.</summary>
public sealed class ClientSource : IDisposable
{
    private static readonly TransferClientFactory Factory =
        new([new FtpTransferProvider(), new SftpTransferProvider(), new LocalTransferProvider()]);

    private readonly List<SshIdentity> _keys = [];

    private ClientSource()
    {
    }

    /// <summary>The client; nothing is connected yet.</summary>
    public TransferClient Client { get; private set; } = null!;

    /// <summary>Makes a client.</summary>
    /// <param name="settings">The server and the credentials.</param>
    /// <param name="cancellationToken">Cancels the reading of key files.</param>
    /// <exception cref="ArgumentException">A setting is invalid, or is for another protocol.</exception>
    /// <exception cref="TransferException">No protocol serves the URI, or a key cannot be read.</exception>
    public static async Task<ClientSource> CreateAsync(ClientSettings settings, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        var source = new ClientSource();
        try
        {
            source.Client = Factory.Create(settings.Uri, settings.Uri.Scheme switch
            {
                "sftp" => await source.SftpAsync(settings, cancellationToken).ConfigureAwait(false),
                "file" => File(settings),
                _ => Ftp(settings),
            });
            return source;
        }
        catch
        {
            source.Dispose();
            throw;
        }
    }

    /// <summary>Reads the keys of an SSH host, without a log-in.</summary>
    /// <param name="settings">The host, by its URI, and the way to the host.</param>
    /// <param name="cancellationToken">Cancels.</param>
    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    /// <exception cref="TransferException">The host is not reached, or has no key of a supported type.</exception>
    public static async Task<IReadOnlyList<SshHostKey>> ReadHostKeysAsync(ClientSettings settings, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        using var source = new ClientSource();
        var options = await source.SftpAsync(settings, cancellationToken).ConfigureAwait(false);
        var uri = settings.Uri;
        var host = uri.HostNameType == UriHostNameType.IPv6 ? uri.Host.Trim('[', ']') : uri.IdnHost;
        return await SshHostKeys.ReadAsync(host, uri.Port > 0 ? uri.Port : null, options, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Gives the keys up; the client is closed by then.</summary>
    public void Dispose()
    {
        foreach (var key in _keys) key.Dispose();
    }

    private static TransferClientOptions Common(ClientSettings settings)
    {
        var options = new TransferClientOptions { Credential = settings.Credential, LoggerFactory = new MessageLogger(settings.Log) };
        return options with
        {
            MaxSessions = settings.MaxSessions ?? options.MaxSessions,
            IdleTimeout = settings.IdleTimeout ?? options.IdleTimeout,
            Dial = options.Dial with { Proxy = settings.Proxy is { } proxy ? ProxyAddress.Parse(proxy, settings.ProxyCredential) : null },
        };
    }

    private static TransferClientOptions File(ClientSettings settings)
    {
        var isForServers = settings.Proxy is not null || settings.Pins.Count > 0 || IsForSftp(settings);
        const string Names = "Pin, IdentityFile, AcceptNewHostKey, KnownHostsFile, UseSshConfig, Jump and Proxy";
        return isForServers ? throw new ArgumentException($"{Names} are for servers, and not for file:.") : Common(settings);
    }

    private static bool IsForSftp(ClientSettings settings) => settings.IdentityFiles.Count + settings.Jump.Count > 0
        || settings.KnownHostsFile is not null || settings.AcceptNewHostKey || settings.UseSshConfig;

    private static FtpOptions Ftp(ClientSettings settings)
    {
        const string Names = "IdentityFile, AcceptNewHostKey, KnownHostsFile, UseSshConfig and Jump";
        if (IsForSftp(settings)) throw new ArgumentException($"{Names} are for sftp:, and not for {settings.Uri.Scheme}:.");
        var options = new FtpOptions(Common(settings));
        return settings.Pins.Count == 0 ? options : options with { Tls = options.Tls with { Pins = settings.Pins } };
    }

    private async Task<SftpOptions> SftpAsync(ClientSettings settings, CancellationToken ct)
    {
        if (settings.AcceptNewHostKey && settings.Pins.Count > 0)
            throw new ArgumentException("AcceptNewHostKey and Pin contradict each other.");
        foreach (var file in settings.IdentityFiles)
        {
            _keys.Add(await SshIdentity.FromFileAsync(file, (path, _) => new(settings.Passphrase ?? AskPassphrase(settings, path)),
                ct).ConfigureAwait(false));
        }

        var options = new SftpOptions(Common(settings));
        return options with
        {
            Identities = _keys,
            Agent = options.Agent with { Use = _keys.Count > 0 ? SshAgentUse.Never : SshAgentUse.IfPresent },
            Config = settings.UseSshConfig ? new SshConfigOptions() : null,
            Jump = JumpHosts.Parse(settings.Jump),
            Interaction = settings.Ask is null ? null : (questions, _) => new(Ask(settings, questions)),
            HostKeys = options.HostKeys with
            {
                Pins = settings.Pins,
                AcceptNew = settings.AcceptNewHostKey,
                Decide = settings.OnUnknownHostKey is { } report ? (key, _) => Refuse(key, report) : null,
                KnownHostsFiles = settings.KnownHostsFile is { } known ? [known] : options.HostKeys.KnownHostsFiles,
            },
        };
    }

    // Refused within the key exchange: a prompt there would run into its time limit.
    private static ValueTask<bool> Refuse(SshHostKey key, Action<SshHostKey> report)
    {
        report(key);
        return new(false);
    }

    private static string? AskPassphrase(ClientSettings settings, string file) =>
        settings.Ask?.Invoke(new($"The key {file} is encrypted.", [("Passphrase", false)]))?[0];

    private static IReadOnlyList<string>? Ask(ClientSettings settings, SshQuestions questions)
    {
        var caption = PrintableText.Of(string.Join(' ',
            new[] { $"{questions.UserName} at {questions.Server}", questions.Name, questions.Instruction }.Where(text => text.Length > 0)));
        return settings.Ask!(new(caption, [.. questions.Prompts.Select(prompt => (PrintableText.Of(prompt.Text), prompt.Echo))]));
    }
}
