using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// The part of ssh_config(5) that a file transfer needs: Host with patterns, HostName, User, Port, IdentityFile, IdentitiesOnly, UserKnownHostsFile, ProxyJump
/// and Include. Match blocks other than <c>Match all</c> are skipped with a warning; other keywords are left alone.
/// </summary>
internal sealed class SshConfigFile
{
    private readonly IReadOnlyList<SshConfigSetting> _settings;
    private readonly string _home;

    internal SshConfigFile(IReadOnlyList<SshConfigSetting> settings, string home)
    {
        _settings = settings;
        _home = home;
    }

    /// <summary>Where the user's own file is.</summary>
    public static string DefaultPath => Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".ssh", "config");

    /// <summary>Reads a file and what it includes; a file that is absent is empty.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: a file cannot be read; <see cref="TransferError.Protocol"/>: files include each other, or are too large.</exception>
    public static async ValueTask<SshConfigFile> LoadAsync(string path, ILogger logger, CancellationToken ct)
    {
        var home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        var settings = await new SshConfigLoader(path, home, logger).LoadAsync(ct).ConfigureAwait(false);
        return new SshConfigFile(settings, home);
    }

    /// <summary>What the file says about a host by its alias. The first value counts; identity files add up.</summary>
    public SshHostConfig Resolve(string alias)
    {
        var lines = _settings.Where(setting => setting.AppliesTo(alias)).Select(setting => setting.Line).ToLookup(line => line.Keyword);
        var hostName = SshConfigTokens.Expand(First(lines, "hostname") ?? alias, new Dictionary<char, string> { ['h'] = alias });
        var user = First(lines, "user");
        int? port = First(lines, "port") is { } text ? int.Parse(text, CultureInfo.InvariantCulture) : null;
        var tokens = new Dictionary<char, string>
        {
            ['d'] = _home,
            ['h'] = hostName,
            ['n'] = alias,
            ['p'] = (port ?? 22).ToString(CultureInfo.InvariantCulture),
            ['r'] = user ?? Environment.UserName,
            ['u'] = Environment.UserName,
        };
        var proxy = _settings.FirstOrDefault(setting => setting.Line.Keyword is "proxyjump" or "proxycommand" && setting.AppliesTo(alias))?.Line;
        var jumps = proxy is { Keyword: "proxyjump" } ? string.Join(',', proxy.Arguments).Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) : [];
        return new SshHostConfig
        {
            HostName = hostName,
            User = user,
            Port = port,
            IdentityFiles = Files(lines["identityfile"].Select(line => line.Arguments[0])),
            IdentitiesOnly = string.Equals(First(lines, "identitiesonly"), "yes", StringComparison.OrdinalIgnoreCase),
            UserKnownHostsFiles = lines["userknownhostsfile"].FirstOrDefault() is { } known ? Files(known.Arguments) : null,
            ProxyJump = IsNone(jumps) ? [] : jumps,
            ProxyCommand = proxy is { Keyword: "proxycommand" } && !IsNone(proxy.Arguments) ? string.Join(' ', proxy.Arguments) : null,
        };

        List<string> Files(IEnumerable<string> names) =>
            [.. names.Where(name => name != "none").Select(name => SshConfigTokens.Expand(SshConfigTokens.ExpandHome(name, _home), tokens))];
    }

    private static string? First(ILookup<string, SshConfigLine> lines, string keyword) => lines[keyword].FirstOrDefault()?.Arguments[0];

    private static bool IsNone(IReadOnlyList<string> values) => values is [var only] && only.Equals("none", StringComparison.OrdinalIgnoreCase);
}
