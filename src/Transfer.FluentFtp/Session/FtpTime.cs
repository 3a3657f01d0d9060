using System.Globalization;

namespace Transfer.FluentFtp.Session;

/// <summary>
/// The time-val of MDTM, MFMT and the modify and create facts: <c>YYYYMMDDHHMMSS[.f…]</c> in UTC (RFC 3659 section 2.3).
/// </summary>
internal static class FtpTime
{
    private const string Seconds = "yyyyMMddHHmmss";

    // Fractions have at least one digit, and may have more than .NET keeps.
    private const int MostFraction = 7;

    /// <summary>Parses a time; null when invalid.</summary>
    public static DateTimeOffset? Parse(ReadOnlySpan<char> value)
    {
        value = value.Trim();
        var dot = value.IndexOf('.');
        var whole = dot < 0 ? value : value[..dot];
        var fraction = dot < 0 ? [] : value[(dot + 1)..];
        if (fraction.Length > MostFraction) fraction = fraction[..MostFraction];
        const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal;
        if (!DateTimeOffset.TryParseExact(whole, Seconds, CultureInfo.InvariantCulture, Utc, out var time)) return null;
        if (fraction.IsEmpty) return time;
        if (!long.TryParse(fraction, NumberStyles.None, CultureInfo.InvariantCulture, out var digits)) return time;
        for (var i = fraction.Length; i < MostFraction; i++) digits *= 10;
        return time.AddTicks(digits);
    }

    /// <summary>Formats a time for commands. Fractions are cut: servers refuse them more often than they keep them.</summary>
    public static string Format(DateTimeOffset time) => time.UtcDateTime.ToString(Seconds, CultureInfo.InvariantCulture);
}
