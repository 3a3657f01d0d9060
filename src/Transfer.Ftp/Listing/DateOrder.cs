namespace Transfer.Ftp.Listing;

/// <summary>How a date of three numbers reads when nothing else tells.</summary>
internal enum DateOrder
{
    /// <summary>Month, day, year.</summary>
    MonthFirst,

    /// <summary>Day, month, year.</summary>
    DayFirst,

    /// <summary>Year, month, day.</summary>
    YearFirst,
}
