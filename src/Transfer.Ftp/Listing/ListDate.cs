namespace Transfer.Ftp.Listing;

/// <summary>Dates and times of day that are written in digits.</summary>
internal static class ListDate
{
    /// <summary>Two-digit years below this are of this century (69 in POSIX; but the epoch's first year is no likely date).</summary>
    private const int Pivot = 70;

    /// <summary>The years a <see cref="DateTimeOffset"/> can hold in every zone.</summary>
    private const int LastYear = 9998;

    private const int LongestSign = 4;

    private static readonly TimeSpan Half = TimeSpan.FromHours(12);

    /// <summary>Makes a date of three numbers, if there is such a date.</summary>
    public static bool TryCreate(int year, int month, int day, out DateOnly date)
    {
        date = default;
        if (year is < 2 or > LastYear || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month)) return false;
        date = new DateOnly(year, month, day);
        return true;
    }

    /// <summary>Parses three numbers joined by <c>-</c>, <c>/</c> or <c>.</c>, in the order that the format always has.</summary>
    public static bool TryParse(ReadOnlySpan<char> field, DateOrders order, out DateOnly date)
    {
        date = default;
        return NumericDate.TryParse(field, order, order, out var numbers) && numbers.TryGet(order, out date);
    }

    /// <summary>
    /// Cuts the sign behind a number (<c>5月</c>, <c>18日</c>, <c>2003年</c>), in whatever encoding: a server's may be another than the
    /// session's, and the number says enough.
    /// </summary>
    public static ReadOnlySpan<char> TrimSign(ReadOnlySpan<char> field)
    {
        var digits = 0;
        while (digits < field.Length && char.IsAsciiDigit(field[digits])) digits++;
        return digits > 0 && digits < field.Length && field[digits] > '\u007F' && field.Length - digits <= LongestSign
            ? field[..digits] : field;
    }

    /// <summary>Parses <c>dd-MMM-yyyy</c> or <c>MMM-dd-yyyy</c>, with two or four digits of the year.</summary>
    public static bool TryParseNamed(ReadOnlySpan<char> field, out DateOnly date)
    {
        date = default;
        var first = field.IndexOf('-');
        var last = field.LastIndexOf('-');
        var digits = field.Length - last - 1;
        if (first < 1 || last <= first || digits is not (2 or 4)) return false;
        if (!ListNumber.TryParseSmall(field[(last + 1)..], out var year)) return false;
        var front = field[..first];
        var middle = field[(first + 1)..last];
        if (front.Length > 2)
        {
            var name = front;
            front = middle;
            middle = name;
        }

        return front.Length <= 2 && ListNumber.TryParseSmall(front, out var day) && MonthNames.TryParse(middle, out var month)
            && TryCreate(Year(year, digits), month, day, out date);
    }

    /// <summary>
    /// Parses a time of day, with the half of the day glued to it (<see cref="TryParseTime"/>), behind it as <c>AM</c> or <c>p.m.</c>, or
    /// in front as in Chinese, Korean and Japanese. Moves the scanner only past a time.
    /// </summary>
    public static bool TryParseClock(ref FieldScanner scanner, out TimeSpan time, out bool isGlued)
    {
        var ahead = scanner;
        isGlued = false;
        var field = ahead.Next();
        var half = field is "上午" or "午前" or "오전" ? 'A' : field is "下午" or "午後" or "오후" ? 'P' : '\0';
        if (half != '\0') field = ahead.Next();
        time = default;
        if (!field.Contains(':') || !TryParseTime(field, out time, out _)) return false;
        isGlued = !char.IsAsciiDigit(field[^1]);
        if (half == '\0' && !isGlued)
        {
            var next = ahead.Peek();
            if (next.Length is 2 or 4 && (next.Length == 2 || (next[1] == '.' && next[3] == '.'))
                && (next[next.Length / 2] | ' ') == 'm' && char.ToUpperInvariant(next[0]) is 'A' or 'P')
            {
                half = char.ToUpperInvariant(next[0]);
                _ = ahead.Next();
            }
        }

        scanner = ahead;
        time = ToHalf(time, half);
        return true;
    }

    /// <summary>Parses <c>h:mm[:ss[.f…]]</c>, optionally followed by AM, PM, A or P. A dot may stand for the colon (<c>h.mm</c>).</summary>
    /// <param name="field">The text.</param>
    /// <param name="time">The time of day.</param>
    /// <param name="seconds">Whether there are seconds.</param>
    /// <param name="isShort">Whether the minute may have one digit, as some servers have behind the name of a month (<c>10:7</c>).</param>
    public static bool TryParseTime(ReadOnlySpan<char> field, out TimeSpan time, out bool seconds, bool isShort = false)
    {
        time = default;
        seconds = false;
        var half = TrimHalf(ref field);
        var first = field.IndexOfAny(':', '.');
        if (first is < 1 or > 2 || !ListNumber.TryParseSmall(field[..first], out var hour)) return false;
        var rest = field[(first + 1)..];
        var digits = isShort && rest.Length == 1 && field[first] == ':' ? 1 : 2;
        if (rest.Length < digits || !ListNumber.TryParseSmall(rest[..digits], out var minute)) return false;
        var second = 0;
        var ticks = 0L;
        rest = rest[digits..];
        if (!rest.IsEmpty)
        {
            if (rest[0] != field[first] || rest.Length < 3 || !ListNumber.TryParseSmall(rest[1..3], out second)) return false;
            if (!TryParseFraction(rest[3..], out ticks)) return false;
            seconds = true;
        }

        // The end of a day has two names: 24:00 is 0:00 of the next.
        if (hour > 23 && (hour, minute, second, ticks, half) is not (24, 0, 0, 0, '\0')) return false;
        if (minute > 59 || second > 60) return false;
        time = ToHalf(new TimeSpan(hour, minute, Math.Min(second, 59)) + TimeSpan.FromTicks(ticks), half);
        return true;
    }

    /// <summary>Moves a time of a 12-hour clock to its half of the day; other times stay.</summary>
    private static TimeSpan ToHalf(TimeSpan time, char half)
    {
        if (half == '\0' || time.Days > 0 || time.Hours is < 1 or > 12) return time;
        var isTwelve = time.Hours == 12;
        return half == 'A' ? (isTwelve ? time - Half : time) : isTwelve ? time : time + Half;
    }

    /// <summary>Two digits: a year around now. Three: years since 1900, as programs of the last century print them in this one.</summary>
    public static int Year(int value, int digits) => digits switch
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
