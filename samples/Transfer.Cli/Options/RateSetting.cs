using System.CommandLine;
using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>The rate limit of a run: a constant one, one that changes, or none.</summary>
/// <param name="Rate">The most bytes a second; null: no constant limit.</param>
/// <param name="Schedule">The limits by time; null: none.</param>
internal readonly record struct RateSetting(long? Rate, RateSchedule? Schedule)
{
    private const string Off = "off";

    private static readonly string[] Days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

    /// <summary>Reads --limit, or this run's share of --limit-total.</summary>
    /// <exception cref="UsageException">A value is no rate, both were given, or the run is no part.</exception>
    public static RateSetting Read(ParseResult parsed, CliOptions options)
    {
        if (!CliOptions.IsGiven(parsed, options.LimitTotal)) return Read(parsed, options.Limit);
        if (CliOptions.IsGiven(parsed, options.Limit)) throw new UsageException("--limit and --limit-total contradict each other.");
        var (rate, schedule) = Read(parsed, options.LimitTotal);
        return new RateSetting(
            Share(rate), schedule is null ? null
            : new RateSchedule(schedule.Changes.Select(change => change with { BytesPerSecond = Share(change.BytesPerSecond) })));

        long? Share(long? total) => total is { } whole ? options.Share(options.LimitTotal, whole) : null;
    }

    /// <summary>
    /// Reads <c>1M</c>, <c>off</c>, or a timetable: <c>08:00,1M 18:00,off</c>, with days <c>Mon-08:00,1M Sat-00:00,off</c>.
    /// </summary>
    /// <exception cref="UsageException">The value is none of these.</exception>
    public static RateSetting Read(ParseResult parsed, Option<string> option)
    {
        if (CliOptions.Value(parsed, option) is not { } text) return default;
        if (!text.Contains(',', StringComparison.Ordinal)) return new RateSetting(RateOf(text, option), null);
        var changes = text.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(part => ChangeOf(part, option)).ToList();
        if (changes.DistinctBy(change => (change.Day, change.Time)).Count() < changes.Count)
            throw new UsageException($"{option.Name}: two rates begin at the same time.");
        return new RateSetting(null, new RateSchedule(changes));
    }

    private static RateChange ChangeOf(string text, Option option)
    {
        if (text.Split(',') is not [var when, var rate]) throw Wrong(option);
        var dash = when.IndexOf('-', StringComparison.Ordinal);
        var day = dash < 0 ? -1 : Array.FindIndex(Days, name => name.Equals(when[..dash], StringComparison.OrdinalIgnoreCase));
        if (dash >= 0 && day < 0) throw Wrong(option);
        return TimeOnly.TryParseExact(when[(dash + 1)..], "H:mm", CultureInfo.InvariantCulture, DateTimeStyles.None, out var time)
            ? new RateChange(time, RateOf(rate, option)) { Day = day < 0 ? null : (DayOfWeek)day } : throw Wrong(option);
    }

    private static long? RateOf(string text, Option option)
    {
        if (text.Equals(Off, StringComparison.OrdinalIgnoreCase)) return null;
        return SizeText.Parse(text, option.Name) switch
        {
            < 1 => throw new UsageException($"{option.Name} wants a byte a second at least, or off."),
            var rate => rate,
        };
    }

    private static UsageException Wrong(Option option) =>
        new($"{option.Name} wants a rate, or times with rates: \"08:00,1M 18:00,off\", or \"Mon-08:00,1M Sat-00:00,off\".");
}
