using System.Globalization;
using System.Text;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Reference;

/// <summary>Completion for PowerShell: a native argument completer. Where it answers nothing, PowerShell completes file names.</summary>
internal static class PowerShellCompletion
{
    public static string Write(IReadOnlyList<VerbEntry> verbs)
    {
        var script = new StringBuilder(
            "# PowerShell completion for transfer, made by: transfer completion pwsh\nRegister-ArgumentCompleter -Native -CommandName "
            + "transfer -ScriptBlock {\n    param($word, $ast, $cursor)\n    $verbs = [ordered]@{\n");
        foreach (var verb in verbs)
        {
            script.Append(CultureInfo.InvariantCulture,
                $"        {Quote(verb.Name)} = @{{ Description = {Quote(verb.Verb.Description)}; Options = [ordered]@{{\n");
            foreach (var option in verb.Options)
                script.Append(CultureInfo.InvariantCulture, $"            {Quote(option.Names[^1])} = {Quote(option.Summary)}\n");
            script.Append("        } }\n");
        }

        script.Append("    }\n    $choices = @{\n");
        foreach (var option in VerbEntry.WithChoices(verbs))
        {
            script.Append(CultureInfo.InvariantCulture,
                $"        {Quote(option.Names[^1])} = {string.Join(", ", option.Choices.Select(Quote))}\n");
        }

        return script.Append(CultureInfo.InvariantCulture, $$"""
                }
                $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { $_.ToString() })
                $previous = $words[-1]
                $found = if ($words.Count -le 1) { $verbs.Keys | ForEach-Object { , @($_, $verbs[$_].Description) } }
                elseif ($choices.ContainsKey($previous)) { $choices[$previous] | ForEach-Object { , @($_, $_) } }
                elseif ($word.StartsWith('@')) { transfer config list 2>$null | ForEach-Object { , @((($_ -split ' ')[0] + '/'), $_) } }
                elseif ($words[1] -eq 'config') { {{string.Join(", ", ConfigVerb.Actions.Select(Quote))}} | ForEach-Object { , @($_, $_) } }
                elseif ($words[1] -eq 'completion') { {{string.Join(", ", CompletionVerb.Shells.Select(Quote))}} | ForEach-Object { , @($_, $_) } }
                elseif ($word.StartsWith('-') -and $verbs.Contains($words[1])) { $options = $verbs[$words[1]].Options; $options.Keys | ForEach-Object { , @($_, $options[$_]) } }
                $found | Where-Object { $_ -and $_[0].StartsWith($word) } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_[0], $_[0], 'ParameterValue', $_[1]) }
            }

            """).ToString();
    }

    private static string Quote(string text) => "'" + text.Replace("'", "''", StringComparison.Ordinal) + "'";
}
