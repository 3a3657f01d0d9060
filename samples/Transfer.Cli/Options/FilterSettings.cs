using System.CommandLine;
using System.Globalization;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Options;

/// <summary>What of a folder is meant, as the options say it.</summary>
internal static class FilterSettings
{
    private const double MostSeconds = 100 * 365.25 * 86_400;

    /// <summary>Reads the options; null when none was given.</summary>
    public static TransferFilter? Read(ParseResult parsed, CliOptions options, CommandHost host)
    {
        var shard = ShardSettings.Read(parsed, options, host.Environment);
        if (shard is null && !options.Filter.Any(option => CliOptions.IsGiven(parsed, option))) return null;
        var now = host.TimeProvider.GetUtcNow();
        var files = CliOptions.IsGiven(parsed, options.FilterFrom) ? parsed.GetValue(options.FilterFrom) ?? [] : [];
        var read = files.SelectMany(FilterFile.Read).ToList();
        var filter = new TransferFilter
        {
            Include = [.. Patterns(parsed, options.Include), .. read.Where(one => one.Includes).Select(one => one.Pattern)],
            Exclude = [.. Patterns(parsed, options.Exclude), .. read.Where(one => !one.Includes).Select(one => one.Pattern)],
            MinSize = SizeText.Read(parsed, options.MinSize),
            MaxSize = SizeText.Read(parsed, options.MaxSize),
            NewerThan = Age(parsed, options.NewerThan, now),
            OlderThan = Age(parsed, options.OlderThan, now),
            Shard = shard,
        };
        if (filter.MinSize > filter.MaxSize) throw NoFile(options.MinSize, options.MaxSize);
        // Files of exactly the later time are not older.
        return filter.NewerThan >= filter.OlderThan ? throw NoFile(options.NewerThan, options.OlderThan) : filter;
    }

    /// <summary>Reads a duration; null when it was not given.</summary>
    public static TimeSpan? Duration(ParseResult parsed, Option<string> option)
    {
        if (CliOptions.Value(parsed, option) is not { } text) return null;
        return ParseAge(text) is { } time && time > TimeSpan.Zero && time <= ConnectionSettings.LongestTimeout
            ? time
            : throw new UsageException($"{option.Name} wants a time such as 90s, 30m or 8h, a week at most.");
    }

    /// <summary>Reads a time with its unit, such as <c>90s</c>, <c>30m</c>, <c>8h</c>, <c>7d</c> or <c>2w</c>; null: it is none.</summary>
    public static TimeSpan? ParseAge(string text) => Seconds(text) is { } seconds && seconds <= MostSeconds
        ? TimeSpan.FromSeconds(seconds) : null;

    private static double? Seconds(string text)
    {
        if (text.Length < 2) return null;
        double? unit = text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, 'd' => 86_400, 'w' => 604_800, _ => null };
        return double.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.AllowDecimalPoint,
            CultureInfo.InvariantCulture, out var number)
            ? number * unit : null;
    }

    private static UsageException NoFile(Option least, Option most) =>
        new($"{least.Name} and {most.Name} contradict each other: no file meets both.");

    private static string[] Patterns(ParseResult parsed, Option<string[]> option)
    {
        var patterns = CliOptions.IsGiven(parsed, option) ? parsed.GetValue(option) ?? [] : [];
        return patterns.Any(pattern => pattern.Length is 0 or > TransferFilter.MaxPattern)
            ? throw new UsageException($"{option.Name} wants a pattern of 1 to {TransferFilter.MaxPattern} characters.")
            : [.. patterns.SelectMany(BraceExpansion.Expand).Where(pattern => pattern.Length > 0)];
    }

    private static DateTimeOffset? Age(ParseResult parsed, Option<string> option, DateTimeOffset now)
    {
        if (CliOptions.Value(parsed, option) is not { Length: > 1 } text) return CliOptions.IsGiven(parsed, option) ? throw Wrong() : null;
        if (DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var date) && text.Contains('-'))
            return date;
        if (Seconds(text) is not { } ago) throw Wrong();
        return ago < (now - DateTimeOffset.MinValue).TotalSeconds ? now - TimeSpan.FromSeconds(ago) : DateTimeOffset.MinValue;

        UsageException Wrong() => new($"{option.Name} wants an age such as 30m, 12h or 7d, or a date such as 2026-11-01.");
    }
}
