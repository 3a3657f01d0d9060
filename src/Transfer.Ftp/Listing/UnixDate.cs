namespace Transfer.Ftp.Listing;

/// <summary>
/// The date columns of <c>ls -l</c>: <c>Mon dd hh:mm</c>, <c>Mon dd yyyy</c>, <c>dd Mon …</c>, <c>Mon dd hh:mm:ss yyyy</c> (ls -T),
/// <c>Mon dd, yyyy hh:mm</c> (VShell), <c>yyyy年 Mon dd</c>; and dates of numbers: the ISO styles <c>yyyy-mm-dd hh:mm</c>,
/// <c>yyyy-mm-dd hh:mm:ss.f zone</c>, <c>mm-dd hh:mm</c>, <c>yyyy-mm-dd</c>, and those of other locales (<see cref="NumericDate"/>).
/// </summary>
internal static class UnixDate
{
    /// <summary>A year with all days that exist in any year; the real year is found later.</summary>
    private const int LeapYear = 2000;

    /// <summary>Parses a date from the scanner's next field on; moves the scanner only past a date.</summary>
    public static bool TryParse(scoped ref FieldScanner scanner, ListingContext context, ref ListedEntry listed)
    {
        var ahead = scanner;
        var first = ahead.Next();
        if (first.IsEmpty) return false;
        DateTimeOffset time;
        var parsed = char.IsAsciiDigit(first[0])
            ? TryParseIso(ref ahead, first, context, out time) || TryParseNamed(ref ahead, first, context, out time)
                || TryParseYearFirst(ref ahead, first, context, out time) || TryParseJoined(ref ahead, first, context, out time)
            : TryParseNamed(ref ahead, first, context, out time) || TryParseJoined(ref ahead, first, context, out time);
        if (parsed) listed.Modified = time;
        else if (TryParseNumbers(ref ahead, first, out var numbers)) listed.SetModified(numbers, context);
        else return false;
        scanner = ahead;
        return true;
    }

    private static bool TryParseNamed(ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        var ahead = scanner;
        var hasComma = false;
        int month, day;
        if (first.IndexOf('月') is var sign and > 0 && sign < first.Length - 1)
        {
            // 1月5日 in one piece.
            if (!MonthNames.TryParse(first[..(sign + 1)], out month) || !TryParseDay(first[(sign + 1)..], out day)) return false;
        }
        else if (MonthNames.TryParse(first, out month))
        {
            var field = ahead.Next();
            hasComma = !field.IsEmpty && field[^1] == ',';
            if (!TryParseDay(field, out day)) return false;
        }
        else if (!TryParseDay(first, out day) || !MonthNames.TryParse(ahead.Next(), out month))
        {
            return false;
        }

        var isAtLeft = ahead.Rest is [' ', not ' ', ..];
        var last = ahead.Next();
        if (TryParseYear(last, out var year))
        {
            if (!ListDate.TryCreate(year, month, day, out var date)) return false;
            var peek = ahead;
            time = context.At(date);
            if (hasComma && ListDate.TryParseTime(peek.Next(), out var exact, out _))
            {
                time = context.At(date, exact);
                ahead = peek;
            }
            else if (isAtLeft && ahead.Rest is [' ', ' ', ..])
            {
                // The column is as wide as a time, and ls has the year at its right end.
                ahead.SkipSpaces(1);
            }
        }
        else if (ListDate.TryParseTime(last, out var clock, out var seconds, isShort: true))
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

    /// <summary><c>2003年 3月 20日</c>, and the same in Korean.</summary>
    private static bool TryParseYearFirst(
        ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        var ahead = scanner;
        var name = ahead.Next();
        if (!TryParseYear(first, out var year) || !MonthNames.TryParse(name, out var month)) return false;
        if (!TryParseDay(ahead.Next(), out var day) || !ListDate.TryCreate(year, month, day, out var date)) return false;
        // Without a sign the year may be a size, in front of 3月 5 10:22.
        var next = ahead.Peek();
        if (first.Length == 4 && (!char.IsAsciiDigit(name[0]) || next.Contains(':') || TryParseYear(next, out _))) return false;
        time = context.At(date);
        scanner = ahead;
        return true;
    }

    /// <summary><c>05-mar-99</c>, and a time.</summary>
    private static bool TryParseJoined(ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        if (!ListDate.TryParseNamed(first, out var date)) return false;
        time = context.At(date, TakeTime(ref scanner));
        return true;
    }

    private static bool TryParseIso(ref FieldScanner scanner, ReadOnlySpan<char> first, ListingContext context, out DateTimeOffset time)
    {
        time = default;
        var ahead = scanner;
        if (first.Length != 10 || first[4] != '-' || !ListDate.TryParse(first, DateOrders.YearFirst, out var date)) return false;
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

    /// <summary>
    /// <c>dd/mm/yyyy hh:mm</c> in any order and with any separator, <c>mm-dd hh:mm</c>, <c>mm-dd yyyy</c> and <c>m d hh:mm</c>.
    /// </summary>
    private static bool TryParseNumbers(ref FieldScanner scanner, ReadOnlySpan<char> first, out NumericDate date)
    {
        date = default;
        if (!char.IsAsciiDigit(first[0])) return false;
        var ahead = scanner;
        if (first.Length <= 2)
        {
            // Where months have no names but numbers.
            var field = ahead.Next();
            if (field.Length > 2 || !ListNumber.TryParseSmall(first, out var one)) return false;
            if (!ListNumber.TryParseSmall(field, out var other)) return false;
            if (!ahead.Peek().Contains(':') || !ListDate.TryParseTime(ahead.Next(), out var clock, out _)) return false;
            if (!NumericDate.TryCreate(one, other, null, DateOrders.MonthFirst, out date)) return false;
            date = date with { Time = clock };
            scanner = ahead;
            return true;
        }

        var isDotted = first.Contains('.');
        var usual = isDotted ? DateOrders.DayFirst : DateOrders.None;
        if (!NumericDate.TryParse(first, DateOrders.YearLast, usual, out date)) return false;
        if (first.Count('-') + first.Count('/') + first.Count('.') == 2)
        {
            var hasTime = ahead.Peek().Contains(':');
            date = date with { Time = TakeTime(ref scanner) };
            // The column of the time is blank.
            var blanks = scanner.Rest.Length - scanner.Rest.TrimStart(' ').Length;
            if (!hasTime) scanner.SkipSpaces(blanks - 1);
            return true;
        }

        // Month and day, as in the iso style, which has a time beside.
        if (first.Length != 5 || first[2] != '-') return false;
        var last = ahead.Next();
        if (!ListNumber.TryParseSmall(first[..2], out var month) || !ListNumber.TryParseSmall(first[3..], out var day)) return false;
        TimeSpan time = default;
        int? year = TryParseYear(last, out var parsed) ? parsed : null;
        if (year is null && (!last.Contains(':') || !ListDate.TryParseTime(last, out time, out _))) return false;
        if (!NumericDate.TryCreate(month, day, year, DateOrders.MonthFirst, out date)) return false;
        date = date with { Time = time };
        scanner = ahead;
        return true;
    }

    private static TimeSpan TakeTime(ref FieldScanner scanner)
    {
        var ahead = scanner;
        var field = ahead.Next();
        if (!field.Contains(':') || !ListDate.TryParseTime(field, out var time, out _)) return default;
        scanner = ahead;
        return time;
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
        field = ListDate.TrimSign(field);
        return field.Length == 4 && ListNumber.TryParseSmall(field, out year) && year is >= 1900 and <= 2999;
    }

    private static bool TryParseDay(ReadOnlySpan<char> field, out int day)
    {
        field = field.Length > 1 && field[^1] is '.' or ',' ? field[..^1] : ListDate.TrimSign(field);
        day = 0;
        return field.Length <= 2 && ListNumber.TryParseSmall(field, out day) && day is >= 1 and <= 31;
    }
}
