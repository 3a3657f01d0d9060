using System.Globalization;
using System.Text;
using Transfer.Cli.Commands;
using Transfer.Cli.Options;

namespace Transfer.Cli.Reference;

/// <summary>Completion for fish: one line a verb, and one an option of a verb.</summary>
internal static class FishCompletion
{
    public static string Write(IReadOnlyList<VerbEntry> verbs)
    {
        var script = new StringBuilder("# fish completion for transfer, made by: transfer completion fish\n");
        foreach (var verb in verbs)
        {
            script.Append(CultureInfo.InvariantCulture,
                $"complete -c transfer -n __fish_use_subcommand -f -a {verb.Name} -d {Quote(verb.Verb.Description.TrimEnd('.'))}\n");
        }

        foreach (var verb in verbs)
        {
            foreach (var option in verb.Options) AppendOption(script, verb.Name, option);
        }

        script.Append(CultureInfo.InvariantCulture,
            $"complete -c transfer -n '__fish_seen_subcommand_from config' -f -a '{string.Join(' ', ConfigVerb.Actions)}'\n");
        script.Append("complete -c transfer -n 'string match -q \"@*\" -- (commandline -ct)' -f "
            + "-a '(transfer config list 2>/dev/null | string replace -r \" +.*\" /)'\n");
        return script.Append(CultureInfo.InvariantCulture,
            $"complete -c transfer -n '__fish_seen_subcommand_from completion' -f -a '{string.Join(' ', CompletionVerb.Shells)}'\n")
            .ToString();
    }

    private static void AppendOption(StringBuilder script, string verb, OptionEntry option)
    {
        script.Append(CultureInfo.InvariantCulture, $"complete -c transfer -n '__fish_seen_subcommand_from {verb}'");
        foreach (var name in option.Names)
        {
            script.Append(
                name.StartsWith("--", StringComparison.Ordinal) ? $" -l {name[2..]}" : name == "-?" ? " -s '?'" : $" -s {name[1..]}");
        }
        // -x: a value, and no file names; -r: a value.
        if (option.Choices.Count > 0) script.Append(CultureInfo.InvariantCulture, $" -x -a '{string.Join(' ', option.Choices)}'");
        else if (option.Value is not null) script.Append(option.IsFile ? " -r" : " -x");
        script.Append(CultureInfo.InvariantCulture, $" -d {Quote(option.Summary)}\n");
    }

    private static string Quote(string text) =>
        "'" + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "\\'", StringComparison.Ordinal) + "'";
}
