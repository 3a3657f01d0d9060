using System.Globalization;
using System.Text;
using Transfer.Cli.Commands;

namespace Transfer.Cli.Reference;

/// <summary>Completion for bash: a function that sets COMPREPLY. Where it sets nothing, bash completes file names.</summary>
internal static class BashCompletion
{
    public static string Write(IReadOnlyList<VerbEntry> verbs)
    {
        var script = new StringBuilder();
        script.Append("""
            # bash completion for transfer, made by: transfer completion bash
            _transfer() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
                COMPREPLY=()
                # @ divides words where COMP_WORDBREAKS has it, and is then a word of its own.
                if [[ $cur == @* || $prev == @ ]]; then
                    words=$(transfer config list 2>/dev/null | sed 's/ .*$/\//')
                    if [[ $cur == @ && $COMP_WORDBREAKS == *@* ]]; then cur=; fi
                    if [[ $cur != @* ]]; then words=${words//@/}; fi
                    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
                    compopt -o nospace 2>/dev/null
                    return
                fi
                if [ "$COMP_CWORD" -eq 1 ]; then

            """);
        script.Append(CultureInfo.InvariantCulture,
            $"        words='{string.Join(' ', verbs.Select(verb => verb.Name))} --help --version'\n");
        script.Append("    else\n        case $prev in\n");
        foreach (var option in VerbEntry.WithChoices(verbs))
        {
            script.Append(CultureInfo.InvariantCulture,
                $"            {string.Join('|', option.Names)}) words='{string.Join(' ', option.Choices)}' ;;\n");
        }

        script.Append("            *)\n                case ${COMP_WORDS[1]}:$cur in\n");
        foreach (var verb in verbs)
        {
            script.Append(CultureInfo.InvariantCulture,
                $"                    {verb.Name}:-*) words='{string.Join(' ', verb.Options.SelectMany(option => option.Names))}' ;;\n");
        }

        script.Append(CultureInfo.InvariantCulture,
            $"                    config:*) words='{string.Join(' ', ConfigVerb.Actions)}' ;;\n");
        script.Append(CultureInfo.InvariantCulture,
            $"                    completion:*) words='{string.Join(' ', CompletionVerb.Shells)}' ;;\n");
        script.Append("""
                            esac
                            ;;
                    esac
                fi
                if [ -n "$words" ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); fi
            }
            complete -o bashdefault -o default -F _transfer transfer

            """);
        return script.ToString();
    }
}
