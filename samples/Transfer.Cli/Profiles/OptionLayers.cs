using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Profiles;

/// <summary>
/// Finds the value of each option that the command line does not have: in variables, the profiles of the command's servers, and the
/// configuration's defaults. Defaults that are of no use to the command's servers are left out; a profile's options are for its server, and
/// judged like typed ones.
/// </summary>
/// <param name="host">The environment.</param>
/// <param name="configuration">The configuration.</param>
/// <param name="options">All options.</param>
internal sealed class OptionLayers(CommandHost host, Configuration configuration, CliOptions options)
{
    private readonly HashSet<Option> _login = [.. options.Login.All];
    private readonly HashSet<Option> _sides = [.. options.From.All, .. options.To.All];
    private readonly HashSet<Option> _connection = [.. options.Connection, options.Limit];
    private readonly HashSet<Option> _ftpOnly = [.. options.FtpOnly];
    private readonly HashSet<Option> _sftpOnly = [.. options.SftpOnly];

    /// <summary>The options of a command that are on, typed ones too.</summary>
    /// <param name="typed">The command line.</param>
    /// <param name="own">The options of the verb.</param>
    /// <param name="servers">The servers of the command.</param>
    /// <param name="except">Options that have no defaults here.</param>
    public IReadOnlyList<OptionValue> OfCommand(
        ParseResult typed, IReadOnlyList<Option> own, ServerSet servers, IReadOnlyCollection<Option> except)
    {
        var profiles = servers.Profiles;
        return Choose(typed, own, servers, option => except.Contains(option) ? [] : _login.Contains(option)
            ? servers.Urls.Count == 1 && profiles.Count == 0 ? [OfVariable(option), OfDefaults(option)] : []
            : _sides.Contains(option) ? [OfVariable(option)]
            : [OfVariable(option), OfProfiles(option, servers), OfDefaults(option)]);
    }

    /// <summary>The options of the log-in at a profile's server, without typed ones.</summary>
    /// <param name="profile">The profile.</param>
    /// <param name="isOnly">
    /// The profile's server is the only one of the command. Variables and defaults know no server: with two, both would get one log-in.
    /// </param>
    public IReadOnlyList<OptionValue> OfLogin(ServerProfile profile, bool isOnly) =>
        Choose(null, [.. _login], ServerSet.Of(profile), option => isOnly
            ? [OfProfile(option, profile, OptionLayer.LogInOfProfile), OfVariable(option), OfDefaults(option)]
            : [OfProfile(option, profile, OptionLayer.LogInOfProfile)]);

    private IReadOnlyList<OptionValue> Choose(
        ParseResult? typed, IReadOnlyList<Option> own, ServerSet servers, Func<Option, IReadOnlyList<OptionValue?>> layers)
    {
        var found = new List<OptionValue>();
        foreach (var option in own.Distinct())
        {
            if (typed is not null && CliOptions.IsTyped(typed, option)) found.Add(Typed(typed, option));
            else if (OptionRules.IsConfigurable(options, option) && layers(option).FirstOrDefault(value => value is not null) is { } value)
                found.Add(value);
        }

        found.RemoveAll(value => value.IsOff && value.Layer != OptionLayer.Arguments);
        var usesTls = found.Exists(value => value.Option == options.Tls && value.Values[0] != "off");
        return OptionRules.Choose([.. found.Where(value => IsOfUse(value, servers, usesTls))], own);
    }

    private bool IsOfUse(OptionValue value, ServerSet servers, bool usesTls)
    {
        if (value.Layer is not (OptionLayer.Environment or OptionLayer.Defaults)) return true;
        var option = value.Option;
        if (_sides.Contains(option) || _login.Contains(option) || option == options.Encoding)
            if (!servers.HasServer) return false;
        if (_connection.Contains(option) && servers.HasLocalOnly) return false;
        if (_ftpOnly.Contains(option) && !servers.HasFtp || _sftpOnly.Contains(option) && !servers.HasSftp) return false;
        if (option == options.Tls) return servers.ChoosesTls;
        if (option == options.TlsMin || option == options.TlsMax || option == options.ClearData) return servers.HasFtpOverTls(usesTls);
        return LoginOptions.UseOf(option) switch
        {
            LoginUse.Tls => servers.HasTls(usesTls),
            LoginUse.Ssh => !servers.HasFtp,
            LoginUse.Ftp => !servers.HasSftp,
            _ => true,
        };
    }

    private static OptionValue Typed(ParseResult typed, Option option)
    {
        var tokens = typed.GetResult(option)!.Tokens;
        IReadOnlyList<string> values = tokens.Count > 0 ? [.. tokens.Select(token => token.Value)] : ["true"];
        if (option is Option<bool>) values = [values[0].ToLowerInvariant()];
        return new OptionValue(option, values, OptionLayer.Arguments, "the command line");
    }

    private OptionValue? OfVariable(Option option)
    {
        if (!OptionRules.HasVariable(options, option)) return null;
        var name = OptionRules.VariableOf(option);
        if (host.Environment(name) is not { Length: > 0 } text) return null;
        if (option is Option<bool>)
        {
            text = SwitchText.Parse(text) switch
            {
                true => "true",
                false => "false",
                null => throw new UsageException($"{name} is a switch, and wants 0, 1, true or false."),
            };
        }

        return new OptionValue(option, [text], OptionLayer.Environment, name);
    }

    private OptionValue? OfDefaults(Option option) =>
        Of(option, Configuration.DefaultsName, configuration.Defaults, OptionLayer.Defaults);

    // Two servers may be reached in two ways, but there is one way to move a file.
    private OptionValue? OfProfiles(Option option, ServerSet servers)
    {
        if (!servers.IsOneProfile && _connection.Contains(option)) return null;
        OptionValue? found = null;
        foreach (var profile in servers.Profiles)
        {
            if (OfProfile(option, profile, OptionLayer.Profile) is not { } value) continue;
            if (found is not null && !found.Values.SequenceEqual(value.Values))
                throw new UsageException($"{found.Source} and {value.Source} contradict each other: give {option.Name}.");
            found ??= value;
        }

        return found;
    }

    private OptionValue? OfProfile(Option option, ServerProfile profile, OptionLayer layer) =>
        Of(option, profile.Name, profile.Entries, layer);

    private OptionValue? Of(Option option, string section, IReadOnlyList<ConfigEntry> entries, OptionLayer layer)
    {
        var key = OptionRules.KeyOf(option);
        var found = entries.Where(entry => entry.Key == key).ToList();
        return found.Count == 0 ? null
            : new OptionValue(option, [.. found.Select(entry => entry.Value)], layer, configuration.PlaceOf(section, found[0].Line));
    }
}
