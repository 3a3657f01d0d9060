using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// The part of ssh_config(5) that a file transfer needs: Host with patterns, HostName, HostKeyAlias, User, Port, IdentityFile, IdentitiesOnly,
/// UserKnownHostsFile, ProxyJump and Include. Match blocks other than <c>Match all</c> are skipped, with a warning where they say something of these; other keywords are left alone.
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

    /// <summary>Reads files, of which the first counts most, and what they include; a file that is absent is empty.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Denied"/>: a file cannot be read, or anybody may write it; <see cref="TransferError.Protocol"/>: files include each other, or are too large.
    /// </exception>
    public static async ValueTask<SshConfigFile> LoadAsync(IEnumerable<string> paths, string home, ILogger logger, CancellationToken ct)
    {
        var settings = new List<SshConfigSetting>();
        foreach (var path in paths) settings.AddRange(await new SshConfigLoader(path, home, logger).LoadAsync(ct).ConfigureAwait(false));
        return new SshConfigFile(settings, home);
    }

    /// <summary>What the files say about a host by its alias. The first value counts; identity files add up.</summary>
    /// <param name="alias">The name as it was given.</param>
    /// <param name="givenUser">The user that counts before the files', or null.</param>
    /// <param name="givenPort">The port that counts before the files', or null.</param>
    public SshHostConfig Resolve(string alias, string? givenUser = null, int? givenPort = null)
    {
        var lines = _settings.Where(setting => setting.AppliesTo(alias)).Select(setting => setting.Line).ToLookup(line => line.Keyword);
        var hostName = SshConfigTokens.Expand(First(lines, "hostname") ?? alias, new Dictionary<char, string> { ['h'] = alias });
        var user = givenUser ?? First(lines, "user");
        var port = givenPort ?? (First(lines, "port") is { } text ? int.Parse(text, CultureInfo.InvariantCulture) : null as int?);
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
            HostKeyAlias = First(lines, "hostkeyalias"),
            User = user,
            Port = port,
            IdentityFiles = lines.Contains("identityfile") ? Files(lines["identityfile"].Select(line => line.Arguments[0])) : null,
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
