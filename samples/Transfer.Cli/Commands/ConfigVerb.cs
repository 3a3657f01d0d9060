using Transfer.Cli.Options;
using Transfer.Cli.Profiles;

namespace Transfer.Cli.Commands;

/// <summary>Shows the configuration.</summary>
internal sealed class ConfigVerb(Func<CommandHost, CliOptions, Configuration> load) : Verb("config", "path|list|show [NAME]",
    "Show where the configuration is, the servers that it names, and what it says.")
{
    private const string Hidden = "(hidden)";

    /// <summary>The words that the verb takes.</summary>
    public static readonly IReadOnlyList<string> Actions = ["path", "list", "show"];

    public override string Details => """
        The configuration is ~/.config/transfer/config.ini, or where the system keeps such files; TRANSFER_CONFIG names
        another one, or none. [NAME] begins a server, with url = URL and options without their dashes, a line each:
        sessions = 4. transfer put x @NAME/ then goes there. [defaults] has options for all servers. Passwords are best
        named: password-command, password-file or password-env; password = ... wants a file that only you can read.

        Options count in this order: the command line, variables (TRANSFER_MAX_DELETE for --max-delete; switches have
        0, 1, true or false), the server's section, [defaults]. For a log-in the server's section counts more than
        variables. VERB --show-options shows the outcome. --delete=false switches off here what is on there.

        path prints the path of the file, list the servers and their URLs, show a section, or all, without passwords.
        """;

    public override IReadOnlyList<string> Examples => ["config path", "config list", "config show inbox"];

    public override bool IsForScripts => false;

    public override bool IsConfigured => false;

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Word;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var host = invocation.Host;
        switch (invocation.Paths)
        {
            case ["path"]:
                await host.WriteLineAsync(PrintableText.Of(ConfigPlace.Find(host, out _)
                    ?? throw new UsageException("There is no configuration: no home folder, or TRANSFER_CONFIG is none.")), ct);
                return ExitCode.Done;
            case ["list"]:
                var all = load(host, invocation.Options).Profiles;
                var width = all.Select(profile => profile.Name.Length).DefaultIfEmpty().Max();
                foreach (var profile in all)
                    await host.WriteLineAsync($"@{profile.Name.PadRight(width)}  {PrintableText.Of(profile.Url.Redacted)}", ct);
                return ExitCode.Done;
            case ["show"]:
                await ShowAsync(host, load(host, invocation.Options), name: null, ct);
                return ExitCode.Done;
            case ["show", var name]:
                await ShowAsync(host, load(host, invocation.Options), name.TrimStart('@').TrimEnd('/'), ct);
                return ExitCode.Done;
            default:
                throw new UsageException($"config wants one of {string.Join(", ", Actions)}, and behind show a name.");
        }
    }

    private static async Task ShowAsync(CommandHost host, Configuration configuration, string? name, CancellationToken ct)
    {
        var lines = new List<string>();
        if (configuration.Defaults.Count > 0 && name is null or Configuration.DefaultsName)
            lines.AddRange([$"[{Configuration.DefaultsName}]", .. configuration.Defaults.Select(entry => Line(host, entry)), string.Empty]);
        IReadOnlyList<ServerProfile> profiles = name switch
        {
            null => configuration.Profiles,
            Configuration.DefaultsName => [],
            _ => [configuration.Get(name)],
        };
        foreach (var profile in profiles)
        {
            lines.AddRange([$"[{profile.Name}]", $"url = {profile.Url.Redacted}"]);
            if (profile.Password is not null) lines.Add($"{OptionRules.Password} = {Hidden}");
            lines.AddRange([.. profile.Entries.Select(entry => Line(host, entry)), string.Empty]);
        }

        foreach (var line in lines.SkipLast(1)) await host.WriteLineAsync(PrintableText.Of(line), ct);
    }

    private static string Line(CommandHost host, ConfigEntry entry) =>
        $"{entry.Key} = {OptionText.Shown(entry.Key, entry.Value, host.Environment)}";
}
