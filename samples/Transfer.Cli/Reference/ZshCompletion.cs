using System.Globalization;
using System.Text;
using Transfer.Cli.Commands;
using Transfer.Cli.Options;

namespace Transfer.Cli.Reference;

/// <summary>Completion for zsh: an autoloaded function of <c>$fpath</c> that calls _arguments.</summary>
internal static class ZshCompletion
{
    public static string Write(IReadOnlyList<VerbEntry> verbs)
    {
        var script = new StringBuilder(
            "#compdef transfer\n# zsh completion for transfer, made by: transfer completion zsh\n_transfer_places() {\n"
            + "    if [[ $PREFIX == @* ]]; then\n        compadd -S / -- ${${(f)\"$(transfer config list 2>/dev/null)\"}%% *}\n"
            + "    else\n        _files\n    fi\n}\n_transfer() {\n    local "
            + "curcontext=$curcontext state line\n    local -a verbs\n    verbs=(\n");
        foreach (var verb in verbs)
            script.Append(CultureInfo.InvariantCulture, $"        {Quote(verb.Name + ":" + verb.Verb.Description.TrimEnd('.'))}\n");
        script.Append(
            "    )\n    _arguments -C '1:verb:->verb' '*::argument:->rest'\n    case $state in\n        verb) _describe verb verbs ;;\n "
            + "       rest)\n            case $words[1] in\n");
        foreach (var verb in verbs)
        {
            script.Append(CultureInfo.InvariantCulture, $"                {verb.Name})\n                    _arguments");
            foreach (var option in verb.Options)
                script.Append(CultureInfo.InvariantCulture, $" \\\n                        {Specification(option)}");
            script.Append(
                verb.Verb is CompletionVerb ? $" \\\n                        '1:shell:({string.Join(' ', CompletionVerb.Shells)})'\n"
                : verb.Verb is ConfigVerb ? $" \\\n                        '1:action:({string.Join(' ', ConfigVerb.Actions)})'\n"
                : " \\\n                        '*:file or server:_transfer_places'\n").Append("                    ;;\n");
        }

        return script.Append(
            "            esac\n            ;;\n    esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then _transfer \"$@\"; else "
            + "compdef _transfer transfer; fi\n").ToString();
    }

    // Several names of one option exclude each other: '(-n --dry-run)'{-n,--dry-run}'[...]'.
    private static string Specification(OptionEntry option)
    {
        var summary = "["
            + option.Summary.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("[", "\\[", StringComparison.Ordinal).Replace("]",
                "\\]", StringComparison.Ordinal) + "]";
        var value = option.Value is null ? string.Empty
            : $":value:{(option.Choices.Count > 0 ? $"({string.Join(' ', option.Choices)})" : option.IsFile ? "_files" : string.Empty)}";
        return option.Names.Count == 1
            ? Quote(option.Names[0] + summary + value)
            : $"{Quote($"({string.Join(' ', option.Names)})")}{{{string.Join(',', option.Names.Select(Quote))}}}{Quote(summary + value)}";
    }

    private static string Quote(string text) => "'" + text.Replace("'", "'\\''", StringComparison.Ordinal) + "'";
}
