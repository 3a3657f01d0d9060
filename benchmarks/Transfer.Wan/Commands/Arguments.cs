using System.Globalization;

namespace Transfer.Wan.Commands;

/// <summary>Takes a command line apart: options with and without values, and words.</summary>
internal sealed class Arguments(IEnumerable<string> words)
{
    private readonly Queue<string> _words = new(words);

    /// <summary>Gives each word to the first that wants it.</summary>
    /// <param name="option">Called with an option's name; it takes its value by the second parameter. False: unknown.</param>
    /// <param name="word">Called with words that are no options; false: too many.</param>
    /// <returns>What follows <c>--</c>.</returns>
    public IReadOnlyList<string> Read(Func<string, Func<string>, bool> option, Func<string, bool> word)
    {
        while (_words.TryDequeue(out var next))
        {
            if (next == "--") return [.. _words];
            if (next.StartsWith("--", StringComparison.Ordinal))
            {
                if (!option(next, () => _words.TryDequeue(out var value) ? value : throw new UsageException($"{next} needs a value.")))
                    throw new UsageException($"{next} is unknown.");
            }
            else if (!word(next))
            {
                throw new UsageException($"'{next}' is too much.");
            }
        }

        return [];
    }

    public static double Number(string value, string what) =>
        double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= 0 && double.IsFinite(number)
            ? number
            : throw new UsageException($"{what}: '{value}' is no number.");
}
