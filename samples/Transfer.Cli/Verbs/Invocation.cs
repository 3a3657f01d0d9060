using System.CommandLine;
using Microsoft.Extensions.Logging;
using Transfer.Cli.Connections;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Profiles;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Verbs;

/// <summary>One run of one verb: its arguments, its world, and what all verbs do with them.</summary>
internal sealed class Invocation(
    ParseResult parsed, CliOptions options, CommandHost host, Messages messages, RunOutputs outputs, RunArguments arguments,
    Session? session = null)
{
    public CliOptions Options => options;

    public CommandHost Host => host;

    public Messages Messages => messages;

    public IReadOnlyList<string> Paths => arguments.Paths;

    /// <summary>The paths as they were typed: those of a script's line are not joined with its folders.</summary>
    public IReadOnlyList<string> Typed => parsed.GetValue(options.Paths) ?? [];

    /// <summary>The URL of a script's server, and the profile that it is from; null: there is no server.</summary>
    public (string Url, ServerProfile? Profile)? Server => arguments.Server;

    /// <summary>The configuration of the run.</summary>
    public Configuration Configuration => arguments.Configuration;

    /// <summary>The profiles of the run's servers.</summary>
    public RunProfiles Profiles => arguments.Profiles;

    /// <summary>The outcome, or entries, are printed as JSON.</summary>
    public bool Json => Flag(options.Json) || Stream is not null;

    /// <summary>Receives the items of the run; null: they are not printed.</summary>
    public IItemOutput? Items => outputs.Items;

    /// <summary>The stream of <c>--json=items</c>, which ends with a summary; null: not asked for.</summary>
    public ItemStream? Stream => outputs.Stream;

    public bool Verbose => CliOptions.IsGiven(parsed, options.Verbose);

    public bool Quiet => Flag(options.Quiet);

    public bool Flag(Option<bool> option) => CliOptions.IsGiven(parsed, option) && parsed.GetValue(option);

    /// <summary>The name of the first of these options that was given, or null.</summary>
    public string? Given(IEnumerable<Option> among) => among.FirstOrDefault(option => CliOptions.IsGiven(parsed, option))?.Name;

    public TransferSettings Transfer => TransferSettings.Read(parsed, options, host);

    /// <summary>The rate limit, for what has no server too.</summary>
    public RateSetting Limit => RateSetting.Read(parsed, options);

    /// <summary>Most bytes of memory for what is listed; null: the usual ones.</summary>
    public long? MaxListing => session?.Clients.Clients.Settings.MaxListing ?? ConnectionSettings.ParseMaxListing(parsed, options);

    /// <summary>How a receiver is reached: it has no log-in and no protocol to choose.</summary>
    public ConnectionSettings Connection => ConnectionSettings.Read(parsed, options, []);

    /// <summary>Most content of an archive, where it was said.</summary>
    public long? ArchiveSize =>
        SizeText.Read(parsed, options.ArchiveSize) is not (< 64 << 10 or > 64 << 20) and var size
        ? size : throw new UsageException("--archive-size wants 64K to 64M.");

    /// <summary>The time that an option gives as <c>90s</c>, <c>30m</c> or <c>8h</c>; null: not given.</summary>
    public TimeSpan? Duration(Option<string> option) => FilterSettings.Duration(parsed, option);

    /// <summary>The bytes that an option gives; null: not given.</summary>
    public long? Size(Option<string> option) => SizeText.Read(parsed, option);

    public string? Value(Option<string> option) => CliOptions.Value(parsed, option);

    public IReadOnlyList<string> Values(Option<string[]> option) => CliOptions.IsGiven(parsed, option) ? parsed.GetValue(option) ?? [] : [];

    /// <summary>The passphrase of a spool's key.</summary>
    public SpoolPassphrase Passphrase => new(Value(options.Spool.PassphraseFile), options.Spool.PassphraseFile.Name, host, messages);

    public LoginArguments Login(LoginOptions login) => login.Read(parsed);

    /// <summary>Makes what connects to the servers of these URLs, which are all that the command has.</summary>
    public Connector CreateConnector(params IReadOnlyList<TransferUrl> urls) =>
        session is null ? new Connector(CreateClients(urls), Profiles) : new Connector(session.Clients, Profiles);

    /// <summary>Makes the clients of these URLs' servers, which are all that the command has.</summary>
    public OpenClients CreateClients(IReadOnlyList<TransferUrl> urls) =>
        new(host, messages, ConnectionSettings.Read(parsed, options, urls), CreateLoggers());

    /// <summary>The library's log: warnings, and more with <c>-v</c>.</summary>
    public ILoggerFactory CreateLoggers() => new MessageLoggerFactory(messages, options.Verbosity(parsed));

    /// <summary>The one URL of a verb that takes one.</summary>
    public TransferUrl SingleUrl()
    {
        if (Paths.Count != 1)
            throw new UsageException(Paths.Count == 0 ? "A URL is missing." : "One URL is wanted, and there are more arguments.");
        return RemoteUrl(Paths[0]);
    }

    /// <summary>Parses a URL that must be a server's.</summary>
    public static TransferUrl RemoteUrl(string text)
    {
        if (text == "-") throw new UsageException("- stands for standard input or output, and a URL is wanted here.");
        var url = UrlParser.Parse(text);
        return url.IsFile ? throw new UsageException("file: URLs are for copy; other verbs take local paths as they are.") : url;
    }
}
