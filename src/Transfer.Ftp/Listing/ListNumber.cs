using System.Globalization;

namespace Transfer.Ftp.Listing;

/// <summary>Numbers in listings: ASCII digits, no sign.</summary>
internal static class ListNumber
{
    /// <summary>The most digits that surely fit an <see cref="int"/>.</summary>
    private const int SmallDigits = 9;

    /// <summary>Whether a text is one digit or more, and nothing else.</summary>
    public static bool IsDigits(ReadOnlySpan<char> field) => !field.IsEmpty && !field.ContainsAnyExceptInRange('0', '9');

    /// <summary>Parses a size.</summary>
    public static bool TryParse(ReadOnlySpan<char> field, out long value) =>
        long.TryParse(field, NumberStyles.None, CultureInfo.InvariantCulture, out value);

    /// <summary>Parses a day, an hour, a year and the like.</summary>
    public static bool TryParseSmall(ReadOnlySpan<char> field, out int value)
    {
        value = 0;
        if (field.IsEmpty || field.Length > SmallDigits) return false;
        foreach (var c in field)
        {
            if (!char.IsAsciiDigit(c)) return false;
            value = (value * 10) + (c - '0');
        }

        return true;
    }
}
