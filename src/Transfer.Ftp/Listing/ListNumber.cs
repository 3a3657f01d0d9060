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

    /// <summary>Parses a size that is rounded to a unit: <c>1.5K</c>, <c>33k</c>, <c>2MB</c>. Units are powers of 1024.</summary>
    public static bool TryParseRounded(ReadOnlySpan<char> field, out long value)
    {
        value = 0;
        if (field.Length > 2 && field[^1] is 'B' or 'b') field = field[..^1];
        if (field.Length is < 2 or > 12) return false;
        var power = "KMGTP".IndexOf(char.ToUpperInvariant(field[^1]), StringComparison.Ordinal) + 1;
        var number = field[..^1];
        var point = number.IndexOfAny('.', ',');
        if (power < 1 || !IsDigits(point < 0 ? number : number[..point]) || (point >= 0 && !IsDigits(number[(point + 1)..]))) return false;
        Span<char> plain = stackalloc char[number.Length];
        number.CopyTo(plain);
        if (point >= 0) plain[point] = '.';
        if (!decimal.TryParse(plain, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var units)) return false;
        var bytes = units * (1L << (10 * power));
        if (bytes > long.MaxValue) return false;
        value = (long)bytes;
        return true;
    }

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
