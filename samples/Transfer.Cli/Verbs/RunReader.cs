using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Profiles;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Verbs;

/// <summary>
/// Reads the arguments of a run: profiles become URLs, and options that are not typed get the values that variables, profiles and defaults
/// have, as if they were typed.
/// </summary>
/// <param name="parse">Parses words of the command line.</param>
/// <param name="options">All options.</param>
/// <param name="host">The environment.</param>
/// <param name="configuration">The configuration.</param>
/// <param name="session">The script that the run is a line of; null: none.</param>
internal sealed class RunReader(
    Func<IReadOnlyList<string>, ParseResult> parse, CliOptions options, CommandHost host, Configuration configuration, Session? session)
{
    // All verbs have the same options for a log-in.
    private const string AnyVerb = "ls";

    private readonly OptionLayers _layers = new(host, configuration, options);
    private readonly List<OptionValue> _used = [];

    /// <summary>Reads the arguments.</summary>
    /// <param name="args">The words of the command line, the verb first.</param>
    /// <param name="typed">The same, parsed.</param>
    /// <param name="verb">The verb.</param>
    public (ParseResult Parsed, RunArguments Arguments) Read(IReadOnlyList<string> args, ParseResult typed, Verb verb)
    {
        var arguments = ProfileArguments.Of(verb, typed.GetValue(options.Paths) ?? [], configuration, isLine: session is not null);
        var paths = session?.Resolve(verb, arguments.Texts) ?? arguments.Texts;
        var server = ServerOf(typed, verb, arguments);
        var servers = ServersOf(verb, paths, arguments.Profiles, server);
        var own = verb.OwnOptions(options);
        var values = ValuesOf(typed, verb, own, servers);
        Use(values);
        var profiles = session?.Profiles.ForLine() ?? new RunProfiles(
            profile => (ReadLogin(profile, servers.IsOnly(profile)), servers.IsOneProfile && servers.Profiles.Contains(profile) ? null
                : ReadSettings(args, typed, own, servers, profile)));
        foreach (var profile in servers.Profiles.Where(profile => profile != session?.Profile)) profiles.Add(profile);
        return (With(args, typed, values), new RunArguments(paths, server, profiles, servers, configuration));
    }

    /// <summary>The values of all options of a run, for a table: those of the run, and those of profiles for their servers.</summary>
    public IReadOnlyList<OptionValue> ValuesOf(ParseResult typed, Verb verb, RunArguments arguments) =>
        ValuesOf(typed, verb, verb.OwnOptions(options), arguments.Servers);

    /// <summary>The values that hold for the server of a profile only.</summary>
    public IReadOnlyList<OptionValue> ValuesOf(ParseResult typed, Verb verb, RunArguments arguments, ServerProfile profile)
    {
        var login = _layers.OfLogin(profile, session is null && arguments.Servers.IsOnly(profile))
            .Where(value => !CliOptions.IsTyped(typed, value.Option));
        if (arguments.Servers.IsOneProfile) return [.. login];
        return [.. login, .. ConnectionOf(typed, verb.OwnOptions(options), profile)];
    }

    private IReadOnlyList<OptionValue> ValuesOf(ParseResult typed, Verb verb, IReadOnlyList<Option> own, ServerSet servers) =>
        [.. _layers.OfCommand(typed, own, servers, session is null ? [] : [.. options.OfScript])
            .Select(value => value.Layer == OptionLayer.Arguments ? value : verb.Adapt(value))];

    /// <summary>A message with the places of the options that it names and that are not typed.</summary>
    public string Explain(string message)
    {
        var places = _used.Where(value => IsNamed(message, value.Option.Name) && !message.Contains(value.Source, StringComparison.Ordinal))
            .Select(value => $"{value.Option.Name}: {value.Source}").Distinct().ToList();
        return places.Count == 0 ? message : $"{message} ({string.Join("; ", places)})";
    }

    private static bool IsNamed(string message, string option)
    {
        for (var at = message.IndexOf(option, StringComparison.Ordinal); at >= 0;
            at = message.IndexOf(option, at + 1, StringComparison.Ordinal))
        {
            var end = at + option.Length;
            if (end == message.Length || !char.IsAsciiLetterOrDigit(message[end]) && message[end] != '-') return true;
        }

        return false;
    }

    private (string Url, ServerProfile? Profile)? ServerOf(ParseResult typed, Verb verb, ProfileArguments arguments)
    {
        if (CliOptions.Value(typed, options.Server) is { } text) return ProfileArguments.Resolve(text, configuration, isPathElse: false);
        return verb.OpensSession && arguments.Texts.Count > 0 && !verb.OwnOptions(options).Contains(options.Server)
            ? (arguments.Texts[0], arguments.Profiles[0]) : null;
    }

    private ServerSet ServersOf(
        Verb verb, IReadOnlyList<string> paths, IReadOnlyList<ServerProfile?> profiles, (string Url, ServerProfile? Profile)? server)
    {
        var urls = paths.Select((path, i) => (Url: path, Profile: i < profiles.Count ? profiles[i] : null)).ToList();
        if (server is { } one && !urls.Contains(one)) urls.Add(one);
        urls.RemoveAll(url => !Scheme.IsUrl(url.Url) || url.Url.StartsWith(Scheme.File + ":", StringComparison.OrdinalIgnoreCase));

        // Without a URL of its own, a path in a script is one at the script's server.
        if (session?.Profile is { } script)
        {
            var ofScript = Scheme.ServerOf(script.UrlText);
            urls = [.. urls.Select(url => Scheme.ServerOf(url.Url) == ofScript ? (url.Url, url.Profile ?? script) : url)];
        }

        List<ServerProfile> distinct = [.. urls.Select(url => url.Profile).OfType<ServerProfile>().Distinct()];
        return new ServerSet([.. urls.Select(url => url.Url).DistinctBy(Scheme.ServerOf)], distinct,
            HasLocalOnly: urls.Count == 0 && Enumerable.Range(0, paths.Count).Any(i => verb.SideOf(i, paths.Count) == ArgumentSide.Either))
        {
            IsOneProfile = distinct.Count == 1 && urls.TrueForAll(url => url.Profile is not null),
        };
    }

    private LoginArguments ReadLogin(ServerProfile profile, bool isOnly)
    {
        var values = _layers.OfLogin(profile, isOnly);
        Use(values);
        var login = options.Login.Read(parse([AnyVerb, .. values.SelectMany(value => value.Words)]));
        var isOfVariable = values.Any(
            value => value.Key.StartsWith("password-", StringComparison.Ordinal) && value.Layer != OptionLayer.LogInOfProfile);
        return profile.Password is null ? login
            : login with
            {
                Password = profile.Password,
                PasswordFile = isOfVariable ? null : login.PasswordFile,
                PasswordVariable = isOfVariable ? null : login.PasswordVariable,
                PasswordCommand = isOfVariable ? null : login.PasswordCommand,
            };
    }

    private ConnectionSettings ReadSettings(
        IReadOnlyList<string> args, ParseResult typed, IReadOnlyList<Option> own, ServerSet servers, ServerProfile profile)
    {
        var values = ConnectionOf(typed, own, profile);
        Use(values);
        IEnumerable<TransferUrl> urls = [profile.Url, .. servers.Urls.Where(Scheme.IsServer).Select(UrlParser.Parse)];
        return ConnectionSettings.Read(With(args, typed, values), options, urls);
    }

    private IReadOnlyList<OptionValue> ConnectionOf(ParseResult typed, IReadOnlyList<Option> own, ServerProfile profile) =>
        _layers.OfCommand(typed, [.. options.Connection.Append(options.Limit).Where(own.Contains)], ServerSet.Of(profile), []);

    private ParseResult With(IReadOnlyList<string> args, ParseResult typed, IReadOnlyList<OptionValue> values)
    {
        List<string> words = [.. values.Where(value => value.Layer != OptionLayer.Arguments).SelectMany(value => value.Words)];
        return words.Count == 0 ? typed : parse([args[0], .. words, .. args.Skip(1)]);
    }

    private void Use(IReadOnlyList<OptionValue> values) => _used.AddRange(values.Where(value => value.Layer != OptionLayer.Arguments));
}
