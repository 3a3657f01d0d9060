namespace Transfer.Ftp.Listing;

/// <summary>
/// The date columns of <c>ls -l</c>: <c>Mon dd hh:mm</c>, <c>Mon dd yyyy</c>, <c>dd Mon …</c>, <c>Mon dd hh:mm:ss yyyy</c> (ls -T),
/// and the ISO styles <c>yyyy-mm-dd hh:mm</c>, <c>yyyy-mm-dd hh:mm:ss.f zone</c>, <c>mm-dd hh:mm</c>, <c>yyyy-mm-dd</c>.
/// </summary>
internal static class UnixDate
{
    /// <summary>A year with all days that exist in any year; the real year is found later.</summary>
    private const int LeapYear = 2000;

    /// <summary>Parses a date from the scanner's next field on; moves the scanner only past a date.</summary>
    public static bool TryParse(ref FieldScanner scanner, ListingContext context, out DateTimeOffset time)
    {
        var ahead = scanner;
        var first = ahead.Next();
        time = default;
        var parsed = first.Length > 0 && (char.IsAsciiDigit(first[0])
            ? TryParseIso(ref ahead, first, context, out time) || TryParseNamed(ref ahead, first, context, out time)
            : TryParseNamed(ref ahead, first, context, out time));
        if (parsed) scanner = ahead;
        return parsed;
    }

    private static bool TryParseNamed(ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        var ahead = scanner;
        int month, day;
        if (first.IndexOf('月') is var sign and > 0 && sign < first.Length - 1)
        {
            // 1月5日 in one piece.
            if (!MonthNames.TryParse(first[..(sign + 1)], out month) || !TryParseDay(first[(sign + 1)..], out day)) return false;
        }
        else if (MonthNames.TryParse(first, out month))
        {
            if (!TryParseDay(ahead.Next(), out day)) return false;
        }
        else if (!TryParseDay(first, out day) || !MonthNames.TryParse(ahead.Next(), out month))
        {
            return false;
        }

        var last = ahead.Next();
        if (last.Length > 4 && last[^1] == '年') last = last[..^1];
        if (TryParseYear(last, out var year))
        {
            if (!ListDate.TryCreate(year, month, day, out var date)) return false;
            time = context.At(date);
        }
        else if (ListDate.TryParseTime(last, out var clock, out var seconds))
        {
            if (!ListDate.TryCreate(LeapYear, month, day, out _)) return false;
            var peek = ahead;
            if (seconds && TryParseYear(peek.Next(), out year) && ListDate.TryCreate(year, month, day, out var date))
            {
                ahead = peek;
                time = context.At(date, clock);
            }
            else
            {
                time = context.Recent(month, day, clock);
            }
        }
        else
        {
            return false;
        }

        scanner = ahead;
        return true;
    }

    private static bool TryParseIso(ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        var ahead = scanner;
        if (first.Length == 5 && first[2] == '-')
        {
            if (!ListNumber.TryParseSmall(first[..2], out var month) || !ListNumber.TryParseSmall(first[3..], out var day)) return false;
            if (!ListDate.TryCreate(LeapYear, month, day, out _) || !ListDate.TryParseTime(ahead.Next(), out var recent, out _))
                return false;
            time = context.Recent(month, day, recent);
            scanner = ahead;
            return true;
        }

        if (first.Length != 10 || first[4] != '-' || !ListDate.TryParse(first, DateOrder.YearFirst, out var date)) return false;
        if (!ahead.Peek().Contains(':') || !ListDate.TryParseTime(ahead.Next(), out var clock, out var seconds))
        {
            // The iso style pads a date without a time by one space.
            time = context.At(date);
            if (scanner.Rest is [' ', ' ', ..]) scanner.SkipSpaces(1);
            return true;
        }

        time = seconds && TryParseZone(ref ahead, out var zone) ? new DateTimeOffset(date.ToDateTime(TimeOnly.MinValue) + clock,
            zone) : context.At(date, clock);
        scanner = ahead;
        return true;
    }

    /// <summary><c>+0100</c>, only behind the seconds, where full-iso prints zones.</summary>
    private static bool TryParseZone(ref FieldScanner scanner, out TimeSpan zone)
    {
        var ahead = scanner;
        var field = ahead.Next();
        zone = default;
        if (field.Length != 5 || field[0] is not ('+' or '-')) return false;
        if (!ListNumber.TryParseSmall(field[1..3], out var hours) || !ListNumber.TryParseSmall(field[3..], out var minutes)) return false;
        if (hours > 14 || minutes > 59 || (hours == 14 && minutes > 0)) return false;
        zone = new TimeSpan(hours, minutes, 0);
        if (field[0] == '-') zone = -zone;
        scanner = ahead;
        return true;
    }

    /// <summary>
    /// Four digits of a year in which files have existed: other numbers are rather a size behind a group named like a month.
    /// </summary>
    private static bool TryParseYear(ReadOnlySpan<char> field, out int year)
    {
        year = 0;
        return field.Length == 4 && ListNumber.TryParseSmall(field, out year) && year is >= 1900 and <= 2999;
    }

    private static bool TryParseDay(ReadOnlySpan<char> field, out int day)
    {
        if (field.Length > 1 && field[^1] is '.' or ',' or '日' or '일') field = field[..^1];
        day = 0;
        return field.Length <= 2 && ListNumber.TryParseSmall(field, out day) && day is >= 1 and <= 31;
    }
}
