using System.Globalization;

namespace Transfer.Testing.Listing;

/// <summary>Times as <c>YYYYMMDDHHMMSS[.sss]</c>, always UTC (RFC 3659 2.3).</summary>
internal static class TimeValue
{
    private static readonly string[] Forms = ["yyyyMMddHHmmss", "yyyyMMddHHmmss.f", "yyyyMMddHHmmss.ff", "yyyyMMddHHmmss.fff",
        "yyyyMMddHHmm"];

    public static string Format(DateTimeOffset time) => time.UtcDateTime.ToString("yyyyMMddHHmmss", CultureInfo.InvariantCulture);

    public static bool TryParse(ReadOnlySpan<char> text, out DateTimeOffset time) =>
        DateTimeOffset.TryParseExact(text, Forms, CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out time);
}
