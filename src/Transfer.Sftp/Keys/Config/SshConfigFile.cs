using Microsoft.Extensions.Logging;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// OpenSSH's client configuration, ssh_config(5), as far as a file transfer needs it: <see cref="ConfigKeywords"/> has the effect of each
/// keyword.
/// </summary>
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

    /// <summary>Reads files, by precedence, and those they include; an absent file is empty.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Denied"/>: a file cannot be read, or other users may change the file;
    /// <see cref="TransferError.Protocol"/>: files include each other, or are too large.
    /// </exception>
    public static async ValueTask<SshConfigFile> LoadAsync(IEnumerable<string> paths, string home, ILogger logger, CancellationToken ct)
    {
        var settings = new List<SshConfigSetting>();
        foreach (var path in paths) settings.AddRange(await new SshConfigLoader(path, home, logger).LoadAsync(ct).ConfigureAwait(false));
        return new SshConfigFile(settings, home, logger);
    }

    /// <summary>Returns the settings for a host by its alias. The first value counts; identity files add up.</summary>
    /// <param name="alias">The name as given.</param>
    /// <param name="givenUser">The user with precedence over the files', or null.</param>
    /// <param name="givenPort">The port with precedence over the files', or null.</param>
    /// <param name="algorithms">The options' algorithms; null: the defaults.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: a required feature that does not exist here; <see cref="TransferError.Protocol"/>: an
    /// invalid value; <see cref="TransferError.Denied"/>: the configuration refuses connections to the host.
    /// </exception>
    public SshHostConfig Resolve(string alias, string? givenUser = null, int? givenPort = null, SshAlgorithms? algorithms = null)
    {
        var values = new ConfigValues();
        if (Collect(alias, givenUser, isFinal: false, values)) Collect(alias, givenUser, isFinal: true, values);
        return new HostConfigReader(values, alias, _home).Read(givenUser, givenPort, algorithms ?? new SshAlgorithms());
    }

    // True: a second pass is required.
    private bool Collect(string alias, string? givenUser, bool isFinal, ConfigValues values)
    {
        var conditions = new ConfigConditions(alias, isFinal, keyword => keyword switch
        {
            "user" => givenUser ?? values.Text(keyword),
            "hostname" =>
                values.Text(keyword) is { } name ? SshConfigTokens.Expand(name, new Dictionary<char, string> { ['h'] = alias }) : null,
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

    /// <summary>
    /// Skips a setting in a block with unsupported criteria. Most such blocks concern other things: a block with a setting used here is
    /// worth a warning, and an error where skipping would be less strict.
    /// </summary>
    private void Skip(string alias, SshConfigSetting setting)
    {
        var match = setting.Conditions.First(condition => condition.IsMatch);
        if (setting.Line.Known is { Restricts: true } keyword)
        {
            throw new TransferException(
                TransferError.Unsupported,
                $"{setting.Line.Place}: {keyword.Name} stands in a Match block ({match.Place}) that may or may not apply to "
                + $"{alias}: no programs are started and no networks are checked. "
                + "Such a setting is not left out; 'Match host' and 'Match user' are understood.");
        }

        if (_warned.Add(match)) Log.ConfigSkipped(_logger, match.Path, match.Number, "a Match block with criteria that are not supported");
    }
}
