namespace Transfer.Ftp.Listing;

/// <summary>Dates and times of day that are written in digits.</summary>
internal static class ListDate
{
    /// <summary>Two-digit years below this are of this century (69 in POSIX; but the epoch's first year is no likely date).</summary>
    private const int Pivot = 70;

    /// <summary>The years a <see cref="DateTimeOffset"/> can hold in every zone.</summary>
    private const int LastYear = 9998;

    /// <summary>Makes a date of three numbers, if there is such a date.</summary>
    public static bool TryCreate(int year, int month, int day, out DateOnly date)
    {
        date = default;
        if (year is < 2 or > LastYear || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)) return false;
        date = new DateOnly(year, month, day);
        return true;
    }

    /// <summary>
    /// Parses three numbers joined by <c>-</c>, <c>/</c> or <c>.</c>. Four digits in front are a year for any <paramref name="order"/>,
    /// and a month above 12 swaps month and day.
    /// </summary>
    public static bool TryParse(ReadOnlySpan<char> field, DateOrder order, out DateOnly date)
    {
        date = default;
        var first = field.IndexOfAny('-', '/', '.');
        if (first is < 1 or > 4) return false;
        var rest = field[(first + 1)..];
        var second = rest.IndexOf(field[first]);
        if (second is < 1 or > 2) return false;
        if (!ListNumber.TryParseSmall(field[..first], out var a) || !ListNumber.TryParseSmall(rest[..second], out var b)) return false;
        if (!ListNumber.TryParseSmall(rest[(second + 1)..], out var c)) return false;

        if (first == 4 || order == DateOrder.YearFirst) return first != 3 && TryCreate(Year(a, first), b, c, out date);
        var year = Year(c, rest.Length - second - 1);
        if (first > 2) return false;
        if (order == DateOrder.DayFirst) (a, b) = (b, a);
        return TryCreate(year, a, b, out date) || TryCreate(year, b, a, out date);
    }

    /// <summary>Parses <c>h:mm[:ss[.f…]]</c>, optionally followed by AM, PM, A or P. A dot may stand for the colon (<c>h.mm</c>).</summary>
    public static bool TryParseTime(ReadOnlySpan<char> field, out TimeSpan time, out bool seconds)
    {
        time = default;
        seconds = false;
        var half = TrimHalf(ref field);
        var first = field.IndexOfAny(':', '.');
        if (first is < 1 or > 2 || !ListNumber.TryParseSmall(field[..first], out var hour)) return false;
        var rest = field[(first + 1)..];
        if (rest.Length < 2 || !ListNumber.TryParseSmall(rest[..2], out var minute)) return false;
        var second = 0;
        var ticks = 0L;
        rest = rest[2..];
        if (!rest.IsEmpty)
        {
            if (rest[0] != field[first] || rest.Length < 3 || !ListNumber.TryParseSmall(rest[1..3], out second)) return false;
            if (!TryParseFraction(rest[3..], out ticks)) return false;
            seconds = true;
        }

        if (half != '\0' && hour is < 1 or > 12) half = '\0';
        if (half == 'A' && hour == 12) hour = 0;
        if (half == 'P' && hour < 12) hour += 12;
        if (hour > 23 || minute > 59 || second > 60) return false;
        time = new TimeSpan(hour, minute, Math.Min(second, 59)) + TimeSpan.FromTicks(ticks);
        return true;
    }

    /// <summary>Two digits: a year around now. Three: years since 1900, as programs of the last century print them in this one.</summary>
    private static int Year(int value, int digits) => digits switch
    {
        1 or 2 => value < Pivot ? 2000 + value : 1900 + value,
        3 => 1900 + value,
        4 => value,
        _ => 0,
    };

    private static char TrimHalf(ref ReadOnlySpan<char> field)
    {
        var digits = field.TrimEnd("APMapm");
        var tail = field[digits.Length..];
        if (tail.Length is not (1 or 2) || (tail.Length == 2 && (tail[1] | ' ') != 'm')) return '\0';
        var half = char.ToUpperInvariant(tail[0]);
        if (half is not ('A' or 'P')) return '\0';
        field = digits;
        return half;
    }

    private static bool TryParseFraction(ReadOnlySpan<char> text, out long ticks)
    {
        ticks = 0;
        if (text.IsEmpty) return true;
        if (text[0] != '.' || !ListNumber.IsDigits(text[1..])) return false;
        var unit = TimeSpan.TicksPerSecond;
        foreach (var digit in text[1..])
        {
            unit /= 10;
            ticks += (digit - '0') * unit;
        }

        return true;
    }
}
