using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Profiles;

namespace Transfer.Cli.Verbs;

/// <summary>The table of <c>--show-options</c>: an option a line, with the value and where that is from.</summary>
internal static class OptionTable
{
    private const string Nothing = "-";
    private const string BuiltIn = "built in";

    public static async Task WriteAsync(
        CommandHost host, CliOptions options, Verb verb, RunReader reader, ParseResult typed, RunArguments arguments, CancellationToken ct)
    {
        var rows = new List<(string Name, string Value, string Source)>();
        var profiles = arguments.Servers.Profiles;
        var perServer = profiles.SelectMany(profile => reader.ValuesOf(typed, verb, arguments, profile).Select(value => (profile, value)))
            .ToLookup(pair => pair.value.Option);
        var values = reader.ValuesOf(typed, verb, arguments).ToDictionary(value => value.Option);
        foreach (var option in verb.OwnOptions(options).Where(option => OptionRules.IsConfigurable(options, option)))
        {
            if (values.TryGetValue(option, out var value)) rows.Add(Row(host, option.Name, value));
            foreach (var (profile, own) in perServer[option].Where(pair => pair.value.Layer != OptionLayer.Arguments))
                rows.Add(Row(host, profiles.Count == 1 ? option.Name : $"@{profile.Name} {option.Name}", own));
            if (value is null && !perServer[option].Any()) rows.Add((option.Name, DefaultOf(options, verb, option), BuiltIn));
        }

        foreach (var profile in profiles.Where(profile => profile.Password is not null))
            rows.Add(($"@{profile.Name} {OptionRules.Password}", "(hidden)", arguments.Configuration.PlaceOf(profile.Name)));
        var (names, texts) = (rows.Max(row => row.Name.Length), Math.Min(40, rows.Max(row => row.Value.Length)));
        foreach (var (name, value, source) in rows)
            await host.WriteLineAsync(PrintableText.Of($"{name.PadRight(names)}  {value.PadRight(texts)}  {source}"), ct);
    }

    private static string DefaultOf(CliOptions options, Verb verb, Option option) =>
        option is Option<bool> ? "false" : OptionEntry.Of(option, verb.Explain(options, option)).Default ?? Nothing;

    private static (string Name, string Value, string Source) Row(CommandHost host, string name, OptionValue value) =>
        (name, string.Join(", ", value.Values.Select(text => OptionText.Shown(value.Key, text, host.Environment))), value.Source);
}
