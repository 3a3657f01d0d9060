namespace Transfer.Ftp.Listing;

/// <summary>The order of a date's three numbers where their values do not decide.</summary>
internal enum DateOrder
{
    /// <summary>Month, day, year.</summary>
    MonthFirst,

    /// <summary>Day, month, year.</summary>
    DayFirst,

    /// <summary>Year, month, day.</summary>
    YearFirst,
}
