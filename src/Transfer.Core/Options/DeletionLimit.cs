using System.Globalization;

namespace Transfer;

/// <summary>The most that a synchronisation may delete: see <see cref="SyncOptions.MaxDelete"/>.</summary>
public sealed record DeletionLimit
{
    private DeletionLimit(long? items, double? percent) => (Items, Percent) = (items, percent);

    /// <summary>The most files, links and folders; null: the limit is a percentage.</summary>
    public long? Items { get; }

    /// <summary>The limit in percent of the target's entries, 0 to 100; null: the limit is a number.</summary>
    public double? Percent { get; }

    /// <summary>A number of files, links and folders.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static DeletionLimit OfItems(long items)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(items);
        return new(items, null);
    }

    /// <summary>A percentage of the target's entries.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentage is not between 0 and 100.</exception>
    public static DeletionLimit OfPercent(double percent) => percent is >= 0 and <= 100
        ? new(null, percent)
        : throw new ArgumentOutOfRangeException(nameof(percent), percent, "A percentage is between 0 and 100.");

    /// <summary>Whether a number of deletions is within the limit.</summary>
    /// <param name="deletions">The number of deletions.</param>
    /// <param name="present">The number of the target's entries.</param>
    public bool Allows(long deletions, long present) =>
        Items is { } items ? deletions <= items : deletions * 100.0 <= Percent!.Value * present;

    /// <summary>Returns the number, or the percentage with its sign: <c>100</c>, <c>2.5%</c>.</summary>
    public override string ToString() =>
        Items?.ToString(CultureInfo.InvariantCulture) ?? string.Create(CultureInfo.InvariantCulture, $"{Percent}%");
}
