namespace Transfer;

/// <summary>The time at which a rate limit of a <see cref="RateSchedule"/> begins.</summary>
/// <param name="Time">The local time of day.</param>
/// <param name="BytesPerSecond">The most bytes a second from then on, at least 1; null: no limit.</param>
public sealed record RateChange(TimeOnly Time, long? BytesPerSecond = null)
{
    /// <summary>The day of the week; null: every day, unless that day has a change of its own at the same time.</summary>
    public DayOfWeek? Day { get; init; }
}
