using System.CommandLine;
using System.Globalization;

namespace Transfer.Cli.Options;

/// <summary>
/// Sizes as options say them: <c>100</c>, <c>10K</c>, <c>1.5M</c>, <c>2GiB</c> (powers of 1024), <c>10KB</c> (powers of 1000).
/// </summary>
internal static class SizeText
{
    private static readonly string[] Units = ["", "K", "M", "G", "T", "P"];

    /// <summary>Reads an option; null when it was not given.</summary>
    public static long? Read(ParseResult parsed, Option<string> option) =>
        CliOptions.Value(parsed, option) is { } text ? Parse(text, option.Name) : null;

    /// <summary>Reads a size of an option.</summary>
    /// <exception cref="UsageException">The text is none.</exception>
    public static long Parse(string text, string option) => Parse(text) switch
    {
        null => throw new UsageException($"{option} wants bytes, or a number with K, M, G or T behind it."),
        { } bytes when bytes < long.MaxValue => (long)bytes,
        _ => throw new UsageException($"{option}: that is more than can be counted."),
    };

    /// <summary>Reads a size; null: the text is none.</summary>
    public static long? TryParse(string text) => Parse(text) is { } bytes && bytes < long.MaxValue ? (long)bytes : null;

    private static double? Parse(string text)
    {
        var digits = text.TrimEnd("KMGTPBkmgtpib".ToCharArray());
        var suffix = text[digits.Length..].ToUpperInvariant();
        var unit = suffix.Length > 0 && suffix != "B" ? suffix[..1] : string.Empty;
        var power = Array.IndexOf(Units, unit);
        double? factor = suffix[unit.Length..] switch
        {
            "" or "IB" when unit.Length > 0 => 1024,
            "" or "B" => 1000,
            _ => null,
        };
        var isNumber = decimal.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number);
        return power < 0 || factor is null || !isNumber ? null : (double)number * Math.Pow(factor.Value, power);
    }
}
