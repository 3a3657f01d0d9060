using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Transfer.Sftp.Keys.Hosts;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Sftp.Keys.Config;

/// <summary>Translates the settings for a host into the client's.</summary>
internal sealed class HostConfigReader(ConfigValues values, string alias, string home)
{
    private Dictionary<char, string> _tokens = [];

    /// <exception cref="TransferException">As for <see cref="SshConfigFile.Resolve"/>.</exception>
    public SshHostConfig Read(string? givenUser, int? givenPort, SshAlgorithms algorithms)
    {
        RefuseWhatIsNotDone();
        var hostName = SshConfigTokens.Expand(values.Text("hostname") ?? alias, new Dictionary<char, string> { ['h'] = alias });
        var user = givenUser ?? values.Text("user");
        var port = givenPort ?? Port();
        _tokens = Tokens(hostName, user, port);
        var proxy = Proxy();
        var jumps = proxy is { Keyword: "proxyjump" } ? Jumps(proxy) : [];
        return new SshHostConfig
        {
            HostName = hostName,
            HostKeyAlias = values.Text("hostkeyalias"),
            User = user,
            Port = port,
            IdentityFiles = values.All("identityfile") is { Count: > 0 } identities
                ? [.. identities.SelectMany(line => Files(line.RequireWords().Take(1), line))] : null,
            IdentitiesOnly = values.Flag("identitiesonly") == true,
            IdentityAgent = Agent(),
            UserKnownHostsFiles = FilesOf("userknownhostsfile"),
            HostKeyRules = HostKeys(),
            LogInRules = LogIn(),
            Algorithms = ConfigAlgorithms.Apply(values, algorithms),
            Rekey = ConfigRekeyLimit.Apply(values.First("rekeylimit")),
            IsBatchMode = values.Flag("batchmode") == true,
            AddressFamily = Family(),
            BindAddress = Bind(),
            ProxyJump = IsNone(jumps) ? [] : jumps,
            ProxyCommand = proxy is { Keyword: "proxycommand" } && !IsNone(proxy.RequireWords())
                ? string.Join(' ', proxy.Arguments) : null,
        };
    }

    private void RefuseWhatIsNotDone()
    {
        if (values.First("refuseconnection") is { } refused)
        {
            throw new TransferException(TransferError.Denied,
                $"{refused.Place}: the configuration refuses connections to {alias}: {string.Join(' ', refused.Arguments)}");
        }

        if (values.Text("bindinterface") is { } card)
            throw Refused("bindinterface", $"connections are not bound to interfaces ({card}); BindAddress would serve.");
        if (values.First("knownhostscommand") is { } command && !IsNone(command.Arguments))
            throw Refused("knownhostscommand", "no programs are started, and it may revoke keys.");
        if (values.Text("canonicalizehostname") is { } canonical && canonical.ToLowerInvariant() is not ("no" or "none" or "false"))
            throw Refused("canonicalizehostname", "names are not completed by DNS, so that settings for the full name would not be found.");
    }

    private TransferException Refused(string keyword, string why)
    {
        var line = values.First(keyword)!;
        return new TransferException(TransferError.Unsupported,
            $"{line.Place}: {line.Known!.Name} is not supported, and {alias} is not connected to without it: {why}");
    }

    // Of ProxyJump and ProxyCommand the one that stands first counts.
    private SshConfigLine? Proxy() => (values.First("proxyjump"), values.First("proxycommand")) switch
    {
        ({ } jump, { } command) => values.IsBefore(jump, command) ? jump : command,
        var (jump, command) => jump ?? command,
    };

    // Without a host, the connection would go the direct way.
    private static string[] Jumps(SshConfigLine line) =>
        string.Join(',', line.RequireWords()).Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
            is { Length: > 0 } jumps ? jumps : throw ConfigValues.Bad(line, "it names no host");

    private int? Port() => values.Number("port") is not (0 or > ushort.MaxValue) and var port ? port
        : throw ConfigValues.Bad(values.First("port")!, "a port is a number from 1 to 65535");

    private HostKeyRules HostKeys() => new()
    {
        GlobalKnownHostsFiles = FilesOf("globalknownhostsfile"),
        RevokedKeysFiles = FilesOf("revokedhostkeys") ?? [],
        HashesNames = values.Flag("hashknownhosts") == true,
        MinimumRsaBits = RsaBits(),
        AuthoritySignatures = ConfigAlgorithms.Apply(values, "casignaturealgorithms",
            [.. KeyAlgorithms.KeyTypes.SelectMany(KeyAlgorithms.OfType), .. SecurityKeyPublicKey.Types]),
    };

    private LogInRules LogIn() => new()
    {
        PublicKey = values.Flag("pubkeyauthentication", "unbound", "host-bound") ?? true,
        Password = values.Flag("passwordauthentication") ?? true,
        KeyboardInteractive = values.Flag("kbdinteractiveauthentication") ?? true,
        Preferred = values.Text("preferredauthentications")?.Split(',',
            StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
        SignatureAlgorithms = ConfigAlgorithms.Apply(values, "pubkeyacceptedalgorithms",
            [.. HostKeyAlgorithm.All.Select(algorithm => algorithm.Name)]),
        MinimumRsaBits = RsaBits(),
    };

    private int RsaBits() => values.Number("requiredrsasize") ?? 0;

    private string? Agent()
    {
        if (values.Text("identityagent") is not { } said) return null;
        if (said.Equals("none", StringComparison.OrdinalIgnoreCase)) return string.Empty;
        if (said == "SSH_AUTH_SOCK") return null;
        if (said.StartsWith('$') && !said.StartsWith("${", StringComparison.Ordinal))
            return Environment.GetEnvironmentVariable(said[1..]) is { Length: > 0 } path ? path : string.Empty;
        return Expand(said, values.First("identityagent")!);
    }

    private AddressFamily Family() => values.Text("addressfamily")?.ToLowerInvariant() switch
    {
        null or "any" => AddressFamily.Unspecified,
        "inet" => AddressFamily.InterNetwork,
        "inet6" => AddressFamily.InterNetworkV6,
        _ => throw ConfigValues.Bad(values.First("addressfamily")!, "it is any, inet or inet6"),
    };

    private IPAddress? Bind() => values.Text("bindaddress") is not { } text ? null
        : IPAddress.TryParse(text, out var address) ? address
        : throw Refused("bindaddress", $"{text} is no address.");

    private Dictionary<char, string> Tokens(string hostName, string? user, int? port) => new()
    {
        ['d'] = home,
        ['h'] = hostName,
        ['k'] = values.Text("hostkeyalias") ?? alias,
        ['n'] = alias,
        ['p'] = (port ?? 22).ToString(CultureInfo.InvariantCulture),
        ['r'] = user ?? Environment.UserName,
        ['u'] = Environment.UserName,
    };

    private List<string>? FilesOf(string keyword) => values.First(keyword) is { } line
        ? Files(line.RequireWords(), line)
        : null;

    private List<string> Files(IEnumerable<string> names, SshConfigLine line) =>
        [.. names.Where(name => !name.Equals("none", StringComparison.OrdinalIgnoreCase)).Select(name => Expand(name, line))];

    private string Expand(string name, SshConfigLine line) =>
        SshConfigTokens.Expand(SshConfigTokens.ExpandHome(name, home, line), _tokens, line);

    private static bool IsNone(IReadOnlyList<string> words) =>
        words is [var only] && only.Equals("none", StringComparison.OrdinalIgnoreCase);
}
