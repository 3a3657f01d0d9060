using System.CommandLine;

namespace Transfer.Cli.Profiles;

/// <summary>
/// The values of switches on the command line, such as <c>--delete=false</c>. The parser takes what is no value of a switch for an
/// argument, and nothing behind <c>=</c> for on: <c>--remove-source=no</c> and <c>--delete=$UNSET</c> would delete.
/// </summary>
internal static class SwitchWords
{
    /// <summary>Returns the words with the values of switches as the parser knows them.</summary>
    /// <param name="args">The words of the command line.</param>
    /// <param name="command">The verb's command.</param>
    /// <exception cref="UsageException">The value of a switch is none.</exception>
    public static IReadOnlyList<string> Read(IReadOnlyList<string> args, Command command)
    {
        var names = command.Options.OfType<Option<bool>>().SelectMany(option => option.Aliases.Append(option.Name))
            .ToHashSet(StringComparer.Ordinal);
        var words = args.ToArray();
        for (var i = 0; i < words.Length && words[i] != "--"; i++)
        {
            var word = words[i];
            if (names.Contains(word))
            {
                // The parser takes the next word for the value: a file of that name would be left out.
                if (words.ElementAtOrDefault(i + 1) is { } next && bool.TryParse(next, out _))
                    throw new UsageException($"{word} {next} may be a value or a path: {word}={next}, or ./{next}.");
                continue;
            }

            if (word.IndexOfAny(['=', ':']) is not (> 0 and var cut) || !names.Contains(word[..cut])) continue;
            var name = word[..cut];
            if (SwitchText.Parse(word[(cut + 1)..]) is not { } isOn)
            {
                var others = names.Where(form => form.StartsWith($"{name}=", StringComparison.Ordinal))
                    .Select(form => $" There is {form}, too.");
                throw new UsageException($"{name} is a switch: {name} or {name}=true, {name}=false.{string.Concat(others)}");
            }

            words[i] = $"{name}={(isOn ? "true" : "false")}";
        }

        return words;
    }
}
