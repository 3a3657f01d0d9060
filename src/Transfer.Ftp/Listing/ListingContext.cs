namespace Transfer.Ftp.Listing;

/// <summary>Facts that LIST lines lack: the present year and the zone of the server's clock.</summary>
internal sealed record ListingContext
{
    /// <summary>The most time that a date without a year may be ahead of now: clocks differ, and the assumed zone may be wrong.</summary>
    private static readonly TimeSpan Ahead = TimeSpan.FromDays(1);

    private static readonly TimeSpan LargestOffset = TimeSpan.FromHours(14);

    private const int YearsBetweenLeapYears = 8;

    /// <summary>The present time.</summary>
    public required DateTimeOffset Now { get; init; }

    /// <summary>The server's offset from UTC, in whole minutes, at most 14 hours either way.</summary>
    /// <exception cref="ArgumentOutOfRangeException">No zone has such an offset: refused here, so that no line can fail later.</exception>
    public TimeSpan Offset
    {
        get;
        init
        {
            if (value.Duration() > LargestOffset || value.Ticks % TimeSpan.TicksPerMinute != 0)
                throw new ArgumentOutOfRangeException(nameof(value), value, "An offset is at most 14 hours, in whole minutes.");
            field = value;
        }
    }

    /// <summary>Returns a date and a time of day on the server's clock. An unknown time of day is midnight.</summary>
    public DateTimeOffset At(DateOnly date, TimeSpan time = default) => new(date.ToDateTime(TimeOnly.MinValue) + time, Offset);

    /// <summary>Whether a time is further ahead than clocks and zones explain.</summary>
    public bool IsAhead(DateTimeOffset time) => time > Now + Ahead;

    /// <summary>
    /// The latest such day that is not in the future: <c>ls</c> omits the year of recent dates. February 29 may be several years back.
    /// </summary>
    public DateTimeOffset Recent(int month, int day, TimeSpan time)
    {
        var limit = Now.ToOffset(Offset).DateTime + Ahead;
        for (var year = limit.Year; year > limit.Year - YearsBetweenLeapYears; year--)
        {
            if (!ListDate.TryCreate(year, month, day, out var date)) continue;
            var candidate = date.ToDateTime(TimeOnly.MinValue) + time;
            if (candidate <= limit) return new DateTimeOffset(candidate, Offset);
        }

        // Only reached for a February 29 around a century that has none.
        return At(new DateOnly(limit.Year, month, 1), time);
    }
}
