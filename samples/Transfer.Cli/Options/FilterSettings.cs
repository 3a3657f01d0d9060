using System.CommandLine;
using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>What of a folder is meant, as the options say it.</summary>
internal static class FilterSettings
{
    /// <summary>Reads the options; null when none was given.</summary>
    public static TransferFilter? Read(ParseResult parsed, CliOptions options, TimeProvider time)
    {
        if (!options.Filter.Any(option => CliOptions.IsGiven(parsed, option))) return null;
        return new TransferFilter
        {
            Include = Patterns(parsed, options.Include),
            Exclude = Patterns(parsed, options.Exclude),
            MinSize = SizeText.Read(parsed, options.MinSize),
            MaxSize = SizeText.Read(parsed, options.MaxSize),
            NewerThan = Age(parsed, options.NewerThan, time),
            OlderThan = Age(parsed, options.OlderThan, time),
        };
    }

    private static string[] Patterns(ParseResult parsed, Option<string[]> option)
    {
        var patterns = CliOptions.IsGiven(parsed, option) ? parsed.GetValue(option) ?? [] : [];
        return patterns.Any(pattern => pattern.Length is 0 or > TransferFilter.MaxPattern)
            ? throw new UsageException($"{option.Name} wants a pattern of 1 to {TransferFilter.MaxPattern} characters.")
            : patterns;
    }

    private static DateTimeOffset? Age(ParseResult parsed, Option<string> option, TimeProvider time)
    {
        if (CliOptions.Value(parsed, option) is not { Length: > 1 } text) return CliOptions.IsGiven(parsed, option) ? throw Wrong() : null;
        if (DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var date) && text.Contains('-'))
            return date;
        double? seconds = text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'w' => 604_800, _ => null };
        if (seconds is null
            || !double.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
                out var number))
        {
            throw Wrong();
        }

        var now = time.GetUtcNow();
        var ago = number * seconds.Value;
        return ago < (now - DateTimeOffset.MinValue).TotalSeconds ? now - TimeSpan.FromSeconds(ago) : DateTimeOffset.MinValue;

        UsageException Wrong() => new($"{option.Name} wants an age such as 30m, 12h or 7d, or a date such as 2026-11-01.");
    }
}
