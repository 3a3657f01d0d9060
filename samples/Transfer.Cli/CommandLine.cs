using System.CommandLine;
using System.Reflection;
using Transfer.Cli.Commands;
using Transfer.Cli.Commands.Contents;
using Transfer.Cli.Commands.Look;
using Transfer.Cli.Commands.Plans;
using Transfer.Cli.Commands.Scripts;
using Transfer.Cli.Commands.Scripts.Shell;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Profiles;
using Transfer.Cli.Reference;
using Transfer.Cli.Urls;

namespace Transfer.Cli;

/// <summary>
/// Parses the command line and runs a verb. System.CommandLine only parses: help, exit codes and Ctrl-C are ours.
/// </summary>
internal static class CommandLine
{
    /// <summary>All verbs, in the order of the help.</summary>
    internal static readonly Verb[] Verbs =
    [
        new PutVerb(), new GetVerb(), new CopyVerb(), new SyncVerb(), new WatchVerb(), new CheckVerb(), new PlanVerb(),
        new ApplyVerb(), new ReportVerb(), new ListVerb(), new FindVerb(),
        new TreeVerb(), new DiskUseVerb(), new SpaceVerb(), new StatVerb(), new ProbeVerb(), new CatVerb(), new TailVerb(), new HashVerb(),
        new MakeDirectoryVerb(), new MoveVerb(), new RemoveVerb(), new ChangeModeVerb(), new SendVerb(), new ReceiveVerb(), new FetchVerb(),
        new RunVerb(RunLineAsync), new ShellVerb(() => Verbs!, RunLineAsync), new KeyVerb(), new ConfigVerb(ConfigurationOf),
        new DemoVerb(), new HelpVerb(() => Verbs!), new CompletionVerb(() => Verbs!), new ManualVerb(() => Verbs!, Version()),
    ];

    // No response files: a path may begin with @. No bundling: -lr could be a path that was forgotten to be quoted.
    private static readonly ParserConfiguration Parser = new() { ResponseFileTokenReplacer = null, EnablePosixBundling = false };

    /// <summary>Runs the command.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunAsync(IReadOnlyList<string> args, CommandHost host, CancellationToken ct)
    {
        using var messages = new Messages(host.Error);
        await using var whole = new CommandRun(args, host, messages);
        return await whole.RunAsync(run => RunAsync(args, host, messages, run, session: null, ct));
    }

    /// <summary>Runs a line of a script: a verb and its arguments.</summary>
    /// <returns>The exit code; see <see cref="ExitCode"/>.</returns>
    public static async Task<int> RunLineAsync(IReadOnlyList<string> args, CommandHost host, Session session, CancellationToken ct)
    {
        await using var whole = new CommandRun(args, host, session.Messages);
        return await whole.RunAsync(run => RunAsync(args, host, session.Messages, run, session, ct));
    }

    private static async Task<int> RunAsync(
        IReadOnlyList<string> args, CommandHost host, Messages messages, CommandRun run, Session? session, CancellationToken ct)
    {
        var options = new CliOptions();
        var (root, verbs) = BuildTree(options);
        if (args is [var first, ..] && verbs.Keys.FirstOrDefault(command => command.Name == first) is { } named)
            args = SwitchWords.Read(args, named);
        var parsed = root.Parse(args, Parser);
        verbs.TryGetValue(parsed.CommandResult.Command, out var verb);
        if (CliOptions.IsGiven(parsed, options.Help) || CliOptions.IsGiven(parsed, options.LongHelp))
        {
            await HelpText.WriteAsync(host.Output, verb, Verbs, options, ct);
            return ExitCode.Done;
        }

        if (CliOptions.IsGiven(parsed, options.Version))
        {
            await host.Output.WriteAsync(System.Text.Encoding.UTF8.GetBytes($"transfer {Version()}\n"), ct);
            return ExitCode.Done;
        }

        Check(args, parsed, options, verb);
        if (CliOptions.IsGiven(parsed, options.Quiet) && options.Verbosity(parsed) > Verbosity.None)
            throw new UsageException("--quiet and --verbose contradict each other.");
        if (session is not null) CheckLine(parsed, options);
        var configuration = !verb!.IsConfigured ? Configuration.None : session?.Configuration ?? ConfigurationOf(host, options);
        var reader = new RunReader(words => root.Parse(words, Parser), options, host, configuration, session);
        try
        {
            var (whole, arguments) = reader.Read(args, parsed, verb);
            if (CliOptions.IsGiven(parsed, options.ShowOptions))
            {
                await OptionTable.WriteAsync(host, options, verb, reader, parsed, arguments, ct);
                return ExitCode.Done;
            }

            options.ShareOf = ShardSettings.Read(whole, options, host.Environment) is { } shard ? shard.ShareOf : null;
            var invocation = new Invocation(whole, options, host, messages, run.Begin(whole, options), arguments, session);
            messages.Quiet = invocation.Quiet;
            return await verb.RunAsync(invocation, ct);
        }
        catch (UsageException e) when (reader.Explain(e.Message) is var message && message != e.Message)
        {
            throw new UsageException(message);
        }
    }

    /// <summary>The configuration, whose keys are the options of all verbs.</summary>
    /// <exception cref="UsageException">The configuration is wrong somewhere.</exception>
    internal static Configuration ConfigurationOf(CommandHost host, CliOptions options) =>
        Configuration.Load(host, options, Verbs.SelectMany(verb => verb.OwnOptions(options)));

    private static (RootCommand Root, Dictionary<Command, Verb> Verbs) BuildTree(CliOptions options)
    {
        var root = new RootCommand();
        root.Options.Clear();
        root.Directives.Clear();
        root.Options.Add(options.Help);
        root.Options.Add(options.Version);
        var verbs = new Dictionary<Command, Verb>(Verbs.Length);
        foreach (var verb in Verbs)
        {
            var command = new Command(verb.Name);
            command.Add(options.Paths);
            List<Option> own = [.. verb.Options(options).SelectMany(group => group.Options)];
            foreach (var option in options.GeneralBeside(own).Concat(own)) command.Add(option);
            if (!command.Options.Contains(options.Batch)) command.Add(options.Batch);
            root.Add(command);
            verbs.Add(command, verb);
        }

        return (root, verbs);
    }

    /// <summary>
    /// Refuses what the parser found wrong, and what it would let pass. Its own messages repeat arguments, which may hold passwords.
    /// </summary>
    private static void Check(IReadOnlyList<string> args, ParseResult parsed, CliOptions options, Verb? verb)
    {
        if (verb is null)
        {
            throw new UsageException(args.Count == 0
                ? "What shall it do? transfer --help lists the verbs."
                : NearMiss.OfVerb(args[0], Verbs));
        }

        if (args[0].StartsWith('-')) throw new UsageException($"Options go behind the verb: transfer {verb.Name} {Shown(args[0])}");
        if (verb is not (PutVerb or GetVerb) && CliOptions.Value(parsed, options.Batch) is not (null or "auto" or "off"))
            throw new UsageException($"--batch is for put and get, and {verb.Name} has no such thing.");

        // The parser takes unknown options for paths. What follows -- is meant as it stands.
        var tokens = parsed.GetResult(options.Paths)?.Tokens ?? [];
        var separator = args.ToList().IndexOf("--");
        var literal = separator < 0 ? 0 : args.Count - separator - 1;
        foreach (var token in tokens.Take(tokens.Count - literal))
        {
            if (token.Value.Length > 1 && token.Value[0] == '-' && !verb.TakesForArgument(token.Value))
            {
                var shown = Shown(token.Value);
                var meant = shown.EndsWith("...", StringComparison.Ordinal) ? " letters stand apart, as in -l -a;"
                    : NearMiss.OfOption(shown, verb, options) is { } near ? $" is {near} meant?" : string.Empty;
                throw new UsageException(
                    $"{verb.Name} has no option '{shown}';{meant} transfer {verb.Name} --help lists them. (A path that begins with - goes "
                    + "behind --.)");
            }
        }

        if (parsed.UnmatchedTokens.Count > 0)
            throw new UsageException($"Too many arguments: '{UrlRedaction.Redact(parsed.UnmatchedTokens[0])}'.");
        if (parsed.Errors.Count > 0) throw new UsageException(parsed.Errors[0].Message);
    }

    // What the lines of a script have in common is said once, behind its own verb.
    private static void CheckLine(ParseResult parsed, CliOptions options)
    {
        if (options.OfScript.FirstOrDefault(option => CliOptions.IsGiven(parsed, option)) is { } given)
            throw new UsageException($"{given.Name} is for the script as a whole: its lines share one connection.");
    }

    // Short options of other commands have their value behind them without a space: -pSECRET.
    private static string Shown(string option) =>
        option.StartsWith("--", StringComparison.Ordinal) || option.Length == 2 ? option.Split('=', ':')[0] : option[..2] + "...";

    private static string Version() =>
        typeof(CommandLine).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "0";
}
