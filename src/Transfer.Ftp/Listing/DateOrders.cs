namespace Transfer.Ftp.Listing;

/// <summary>Orders of a date's three numbers.</summary>
[Flags]
internal enum DateOrders
{
    /// <summary>No order gives a date.</summary>
    None = 0,

    /// <summary>Month, day, year.</summary>
    MonthFirst = 1,

    /// <summary>Day, month, year.</summary>
    DayFirst = 2,

    /// <summary>Year, month, day.</summary>
    YearFirst = 4,

    /// <summary>Month or day in front, the year at the end or missing.</summary>
    YearLast = MonthFirst | DayFirst,

    /// <summary>Any order.</summary>
    Any = YearLast | YearFirst,
}
