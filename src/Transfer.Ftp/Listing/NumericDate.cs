namespace Transfer.Ftp.Listing;

/// <summary>
/// A date of two or three numbers, and the time of day beside it. One line often leaves the order of the numbers open; the lines of a
/// listing together seldom do (<see cref="DateInference"/>).
/// </summary>
internal readonly record struct NumericDate
{
    /// <summary>A year with all days that exist in any year.</summary>
    private const int LeapYear = 2000;

    private const short NoYear = -1;

    private short First { get; init; }

    private short Second { get; init; }

    private short Third { get; init; }

    private byte FirstDigits { get; init; }

    private byte ThirdDigits { get; init; }

    /// <summary>The orders in which the numbers are a date; none: there is no such date.</summary>
    public DateOrders Possible { get; private init; }

    /// <summary>The order that the format is known for, which holds where the whole listing shows none; none: not known.</summary>
    public DateOrders Usual { get; private init; }

    /// <summary>The time of day.</summary>
    public TimeSpan Time { get; init; }

    /// <summary>Whether the orders give different days. 5/5 is the same day either way.</summary>
    public bool IsAmbiguous => !IsOne(Possible) && (First != Second || (Possible & DateOrders.YearFirst) != 0);

    /// <summary>One of the possible orders.</summary>
    public DateOrders AnyPossible => Possible & (DateOrders)(-(int)Possible);

    /// <summary>Whether exactly one order is named.</summary>
    public static bool IsOne(DateOrders orders) => orders is DateOrders.MonthFirst or DateOrders.DayFirst or DateOrders.YearFirst;

    /// <summary>Parses two or three numbers that are joined by <c>-</c>, <c>/</c> or <c>.</c>; four digits in front are a year.</summary>
    /// <param name="field">The text.</param>
    /// <param name="allowed">The orders that the format may have.</param>
    /// <param name="usual">The order that the format is known for.</param>
    /// <param name="date">The date; its time of day is midnight.</param>
    public static bool TryParse(ReadOnlySpan<char> field, DateOrders allowed, DateOrders usual, out NumericDate date)
    {
        date = default;
        var first = field.IndexOfAny('-', '/', '.');
        if (first is < 1 or > 4) return false;
        var rest = field[(first + 1)..];
        var second = rest.IndexOf(field[first]);
        var last = second < 0 ? default : rest[(second + 1)..];
        if (second < 0) second = rest.Length;
        if (second is < 1 or > 2 || first == 3) return false;
        if (!ListNumber.TryParseSmall(field[..first], out var a) || !ListNumber.TryParseSmall(rest[..second], out var b)) return false;
        var c = (int)NoYear;
        if (second < rest.Length && (last.Length > 4 || !ListNumber.TryParseSmall(last, out c))) return false;
        return TryCreate(a, first, b, c, last.Length, allowed, usual, out date);
    }

    /// <summary>Makes a date of a month and a day, in an order to be found, and a year.</summary>
    public static bool TryCreate(int first, int second, int? year, DateOrders usual, out NumericDate date) =>
        TryCreate(first, 2, second, year ?? NoYear, 4, DateOrders.YearLast, usual, out date);

    /// <summary>Returns the date in one of the possible orders.</summary>
    public DateTimeOffset At(DateOrders order, ListingContext context)
    {
        if (Third == NoYear)
        {
            var (month, day) = order == DateOrders.DayFirst ? (Second, First) : (First, Second);
            return context.Recent(month, day, Time);
        }

        return TryGet(order, out var date)
            ? context.At(date, Time) : throw new ArgumentOutOfRangeException(nameof(order), order, "Not a possible order.");
    }

    /// <summary>Returns the orders in which the date is not later than a day from now: files seldom come from the future.</summary>
    public DateOrders GetPlausible(ListingContext context)
    {
        if (Third == NoYear) return Possible;
        var plausible = DateOrders.None;
        foreach (var order in (ReadOnlySpan<DateOrders>)[DateOrders.MonthFirst, DateOrders.DayFirst, DateOrders.YearFirst])
        {
            if ((Possible & order) != 0 && !context.IsAhead(At(order, context))) plausible |= order;
        }

        return plausible;
    }

    /// <summary>Returns the earliest and the latest time that some orders give.</summary>
    public TimeRange GetRange(DateOrders orders, ListingContext context)
    {
        var (earliest, latest) = (DateTimeOffset.MaxValue, DateTimeOffset.MinValue);
        foreach (var order in (ReadOnlySpan<DateOrders>)[DateOrders.MonthFirst, DateOrders.DayFirst, DateOrders.YearFirst])
        {
            if ((Possible & orders & order) == 0) continue;
            var time = At(order, context);
            if (time < earliest) earliest = time;
            if (time > latest) latest = time;
        }

        return new TimeRange(earliest, latest);
    }

    /// <summary>The date without the time of day, in one order.</summary>
    public bool TryGet(DateOrders order, out DateOnly date)
    {
        if (order == DateOrders.YearFirst)
            return ListDate.TryCreate(ListDate.Year(First, FirstDigits), Second, Third == NoYear ? 0 : Third, out date);
        var year = Third == NoYear ? LeapYear : ListDate.Year(Third, ThirdDigits);
        return order == DateOrders.DayFirst
            ? ListDate.TryCreate(year, Second, First, out date) : ListDate.TryCreate(year, First, Second, out date);
    }

    private static bool TryCreate(
        int a, int digits, int b, int c, int lastDigits, DateOrders allowed, DateOrders usual, out NumericDate date)
    {
        var read = new NumericDate
        {
            First = (short)a,
            Second = (short)b,
            Third = (short)c,
            FirstDigits = (byte)digits,
            ThirdDigits = (byte)lastDigits,
        };
        // Four digits in front can be nothing but the year, and more than two at the end neither.
        if (digits == 4) allowed = DateOrders.YearFirst;
        else if (lastDigits > 2 || c == NoYear) allowed &= DateOrders.YearLast;
        var possible = DateOrders.None;
        foreach (var order in (ReadOnlySpan<DateOrders>)[DateOrders.MonthFirst, DateOrders.DayFirst, DateOrders.YearFirst])
        {
            if ((allowed & order) != 0 && read.TryGet(order, out _)) possible |= order;
        }

        date = read with { Possible = possible, Usual = usual & possible };
        return possible != DateOrders.None;
    }
}
