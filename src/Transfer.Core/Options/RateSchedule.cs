namespace Transfer;

/// <summary>
/// A rate limit that changes at times of the day or of the week: see <see cref="TransferClientOptions.RateSchedule"/>. Each limit holds
/// until the next change; the last one of a week holds until the first of the next. Immutable.
/// </summary>
public sealed class RateSchedule
{
    private readonly (TimeSpan Begin, long? Rate)[] _week;

    /// <summary>Creates a schedule.</summary>
    /// <param name="changes">The changes, in any order; at least one.</param>
    /// <exception cref="ArgumentException">There is no change, a rate is below 1, a day is none, or two changes are at the same
    /// time.</exception>
    public RateSchedule(IEnumerable<RateChange> changes)
    {
        ArgumentNullException.ThrowIfNull(changes);
        Changes = [.. changes];
        if (Changes.Count == 0) throw new ArgumentException("A schedule has a change.", nameof(changes));
        var (daily, ofDays) = (new Dictionary<TimeSpan, long?>(), new Dictionary<TimeSpan, long?>());
        foreach (var change in Changes)
        {
            if (change.BytesPerSecond < 1) throw new ArgumentException("A rate is a byte a second at least.", nameof(changes));
            if (change.Day is { } day && !Enum.IsDefined(day)) throw new ArgumentException("A change has an unknown day.", nameof(changes));
            IEnumerable<DayOfWeek> days = change.Day is { } one ? [one] : Enum.GetValues<DayOfWeek>();
            var into = change.Day is null ? daily : ofDays;
            if (!days.All(one => into.TryAdd(TimeSpan.FromDays((int)one) + change.Time.ToTimeSpan(), change.BytesPerSecond)))
                throw new ArgumentException("Two changes are at the same time.", nameof(changes));
        }

        foreach (var (begin, rate) in ofDays) daily[begin] = rate;
        _week = [.. daily.Select(pair => (pair.Key, pair.Value)).OrderBy(pair => pair.Key)];
    }

    /// <summary>The changes.</summary>
    public IReadOnlyList<RateChange> Changes { get; }

    /// <summary>The most bytes a second at a time; null: no limit.</summary>
    /// <param name="localTime">The local time; its offset does not count.</param>
    public long? At(DateTimeOffset localTime)
    {
        var now = TimeSpan.FromDays((int)localTime.DayOfWeek) + localTime.TimeOfDay;
        var next = Array.FindIndex(_week, one => one.Begin > now);
        return _week[next switch { < 0 or 0 => ^1, _ => next - 1 }].Rate;
    }
}
