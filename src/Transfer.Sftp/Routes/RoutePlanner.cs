using Transfer.Sftp.Keys;
using Transfer.Sftp.Keys.Config;
using Transfer.Sftp.Keys.Hosts;

namespace Transfer.Sftp.Routes;

/// <summary>
/// Finds the route to a host: the hosts to pass through, and the settings of each. As with OpenSSH, the first hop of a list decides how it
/// is reached itself.
/// </summary>
internal sealed class RoutePlanner(SftpOptions options, SshConfigFile? config, string home)
{
    private const int MostHosts = 16;

    private readonly List<HostPlan> _way = [];
    private readonly List<string> _jumped = [];

    /// <summary>Returns the hosts of the route, the endpoint last.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: a ProxyCommand, a circular route or one through too many hosts;
    /// <see cref="TransferError.Protocol"/>: the configuration names no valid host.
    /// </exception>
    public static IReadOnlyList<HostPlan> Plan(SshJumpHost endpoint, SftpOptions options, SshConfigFile? config, string home)
    {
        var planner = new RoutePlanner(options, config, home);
        planner.Add(endpoint, options.Jump, isEndpoint: true);
        return planner._way;
    }

    private void Add(SshJumpHost host, IReadOnlyList<SshJumpHost>? jumps, bool isEndpoint)
    {
        var user = host.Credential is { UserName.Length: > 0 } named ? named.UserName : null;
        var said = config?.Resolve(host.Host, user, host.Port, options.Algorithms)
            ?? new SshHostConfig { HostName = host.Host, User = user, Port = host.Port, Algorithms = options.Algorithms };
        jumps ??= JumpsOf(host.Host, said);
        for (var i = 0; i < jumps.Count; i++) Add(jumps[i], i == 0 ? null : [], isEndpoint: false);
        if (_way.Count == MostHosts)
            throw new TransferException(TransferError.Unsupported, $"The way to {host.Host} leads through more than {MostHosts} hosts.");
        _way.Add(new HostPlan
        {
            Host = isEndpoint && said.HostName == host.Host ? host.Host : Checked(said.HostName, host.Host),
            Port = said.Port ?? 22,
            User = said.User ?? Environment.UserName,
            Credential = host.Credential is { Password.Length: > 0 } ? host.Credential : null,
            HostKeyAlias = said.HostKeyAlias,
            HostKeys = isEndpoint ? options.HostKeys : host.HostKeys ?? options.HostKeys with { Pins = [] },
            KnownHostsFiles = said.UserKnownHostsFiles ?? (config is null ? null : HostTrust.UserFiles(home)),
            IdentityFiles = config is null || (isEndpoint && options.Identities.Count > 0) ? []
                : said.IdentityFiles ?? SshFolders.User(home, SshIdentity.DefaultNames),
            Config = said,
        });
    }

    private IReadOnlyList<SshJumpHost> JumpsOf(string alias, SshHostConfig said)
    {
        if (said.ProxyCommand is not null)
        {
            throw new TransferException(
                TransferError.Unsupported,
                $"The configuration has {alias} reached by a ProxyCommand, and no programs are started here; ProxyJump would serve.");
        }

        if (said.ProxyJump.Count == 0) return [];
        if (_jumped.Contains(alias, StringComparer.OrdinalIgnoreCase))
        {
            throw new TransferException(
                TransferError.Unsupported,
                $"The configuration's ProxyJump leads in a circle: {string.Join(", ", _jumped)}, {alias}. One of them needs 'ProxyJump "
                + "none'.");
        }

        _jumped.Add(alias);
        try
        {
            return [.. said.ProxyJump.Select(SshJumpHost.Parse)];
        }
        catch (ArgumentException e)
        {
            throw new TransferException(TransferError.Protocol, $"The configuration's ProxyJump of {alias} is not understood: {e.Message}",
                e);
        }
    }

    private static string Checked(string name, string alias)
    {
        var host = name.Trim('[', ']');
        return Uri.CheckHostName(host) != UriHostNameType.Unknown ? host
            : throw new TransferException(TransferError.Protocol,
                name == alias ? $"A jump host's name, {name}, is none that a host can have."
                : $"The configuration's HostName of {alias} is no name of a host.");
    }
}
