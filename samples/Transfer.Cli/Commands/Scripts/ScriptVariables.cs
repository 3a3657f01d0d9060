using System.Globalization;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Scripts;

/// <summary>
/// The variables of a script: those that it sets, the environment's, and dates: <c>date</c> and <c>utc</c>, with a difference and a
/// format where they are wanted, as in <c>date-1d:yyyyMMdd</c>.
/// </summary>
internal sealed class ScriptVariables(CommandHost host)
{
    private readonly Dictionary<string, string> _own = new(StringComparer.Ordinal);

    // One that runs over midnight names the same day in all of its lines.
    private readonly DateTimeOffset _start = host.TimeProvider.GetUtcNow();

    /// <summary>Sets a variable.</summary>
    /// <exception cref="UsageException">The name is none.</exception>
    public void Set(string name, string value)
    {
        var isName = name.Length > 0 && !char.IsAsciiDigit(name[0]) && name.All(c => char.IsAsciiLetterOrDigit(c) || c == '_');
        if (!isName || name is "date" or "utc")
            throw new UsageException("A variable has a name of letters, digits and _, other than date and utc.");
        _own[name] = value;
    }

    /// <summary>The value of what stands between the braces.</summary>
    /// <exception cref="UsageException">There is no such variable.</exception>
    public string Get(string text)
    {
        if (_own.TryGetValue(text, out var value)) return value;
        foreach (var (name, zone, format) in ((string, TimeZoneInfo, string)[])
            [("date", host.TimeProvider.LocalTimeZone, "yyyy-MM-dd"), ("utc", TimeZoneInfo.Utc, "yyyy-MM-dd'T'HH:mm:ss'Z'")])
        {
            if (text.StartsWith(name, StringComparison.Ordinal) && (text.Length == name.Length || text[name.Length] is '+' or '-' or ':'))
                return Date(text, text[name.Length..], zone, format);
        }

        return host.Environment(text)
            ?? throw new UsageException($"There is no variable '{text}': neither set, nor in the environment.");
    }

    private string Date(string text, string rest, TimeZoneInfo zone, string format)
    {
        var colon = rest.IndexOf(':', StringComparison.Ordinal);
        if (colon >= 0) (rest, format) = (rest[..colon], rest[(colon + 1)..]);
        var difference = TimeSpan.Zero;
        if (rest.Length > 0)
        {
            difference = FilterSettings.ParseAge(rest[1..])
                ?? throw new UsageException($"'{text}' is no date: ${{date-1d}} is yesterday's, with s, m, h, d or w.");
            if (rest[0] == '-') difference = -difference;
        }

        try
        {
            var time = TimeZoneInfo.ConvertTime(_start + difference, zone);

            // A single letter would be one of the named formats.
            return time.ToString(format.Length == 1 ? "%" + format : format, CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is FormatException or ArgumentOutOfRangeException)
        {
            throw new UsageException($"'{text}' is no date: the form after the colon is made of yyyy, MM, dd, HH, mm and ss.");
        }
    }
}
