using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>OpenSSH's client configuration, ssh_config(5), as far as a file transfer needs it: see <see cref="ConfigKeywords"/> for what comes of each keyword.</summary>
internal sealed class SshConfigFile
{
    private readonly IReadOnlyList<SshConfigSetting> _settings;
    private readonly string _home;
    private readonly ILogger _logger;
    private readonly HashSet<SshConfigLine> _warned = new(ReferenceEqualityComparer.Instance);

    internal SshConfigFile(IReadOnlyList<SshConfigSetting> settings, string home, ILogger logger)
    {
        _settings = settings;
        _home = home;
        _logger = logger;
    }

    /// <summary>Reads files, of which the first counts most, and what they include; a file that is absent is empty.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Denied"/>: a file cannot be read, or others may change it; <see cref="TransferError.Protocol"/>: files include each other, or are too large.
    /// </exception>
    public static async ValueTask<SshConfigFile> LoadAsync(IEnumerable<string> paths, string home, ILogger logger, CancellationToken ct)
    {
        var settings = new List<SshConfigSetting>();
        foreach (var path in paths) settings.AddRange(await new SshConfigLoader(path, home, logger).LoadAsync(ct).ConfigureAwait(false));
        return new SshConfigFile(settings, home, logger);
    }

    /// <summary>What the files say about a host by its alias. The first value counts; identity files add up.</summary>
    /// <param name="alias">The name as it was given.</param>
    /// <param name="givenUser">The user that counts before the files', or null.</param>
    /// <param name="givenPort">The port that counts before the files', or null.</param>
    /// <param name="algorithms">The options' algorithms; null: the default ones.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: something that is not done here and would have to be; <see cref="TransferError.Protocol"/>: a value that is not understood;
    /// <see cref="TransferError.Denied"/>: the configuration refuses connections to the host.
    /// </exception>
    public SshHostConfig Resolve(string alias, string? givenUser = null, int? givenPort = null, SshAlgorithms? algorithms = null)
    {
        var values = new ConfigValues();
        if (Collect(alias, givenUser, isFinal: false, values)) Collect(alias, givenUser, isFinal: true, values);
        return new HostConfigReader(values, alias, _home).Read(givenUser, givenPort, algorithms ?? new SshAlgorithms());
    }

    // True: a second pass is asked for.
    private bool Collect(string alias, string? givenUser, bool isFinal, ConfigValues values)
    {
        var conditions = new ConfigConditions(alias, isFinal, keyword => keyword switch
        {
            "user" => givenUser ?? values.Text(keyword),
            "hostname" => values.Text(keyword) is { } name ? SshConfigTokens.Expand(name, new Dictionary<char, string> { ['h'] = alias }) : null,
            _ => values.Text(keyword),
        });
        foreach (var setting in _settings)
        {
            var applies = conditions.Evaluate(setting.Conditions);
            if (applies == ConfigMatch.Yes) values.Add(setting.Line);
            else if (applies == ConfigMatch.Unknown) Skip(alias, setting);
        }

        return conditions.WantsFinalPass;
    }

    /// <summary>Most blocks with criteria that are not looked at are about other things: one is worth a warning when something we would use is in it, and an error where leaving it out would be less strict.</summary>
    private void Skip(string alias, SshConfigSetting setting)
    {
        var match = setting.Conditions.First(condition => condition.IsMatch);
        if (setting.Line.Known is { Restricts: true } keyword)
        {
            throw new TransferException(
                TransferError.Unsupported,
                $"{setting.Line.Place}: {keyword.Name} stands in a Match block ({match.Place}) for which it is not found out here whether it applies to {alias}: no programs are started and no networks looked at. "
                + "Such a setting is not left out; 'Match host' and 'Match user' are understood.");
        }

        if (_warned.Add(match)) Log.ConfigSkipped(_logger, match.Path, match.Number, "a Match block with criteria that are not supported");
    }
}
