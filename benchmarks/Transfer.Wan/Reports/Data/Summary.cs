namespace Transfer.Wan.Reports.Data;

/// <summary>Repeats of one figure.</summary>
internal readonly record struct Summary(double Median, double Minimum, double Maximum, int Count)
{
    /// <summary>Null without values. The median of an even number is the mean of the middle two.</summary>
    public static Summary? Of(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        if (sorted.Length == 0) return null;
        var middle = sorted.Length / 2;
        var median = sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Summary(median, sorted[0], sorted[^1], sorted.Length);
    }

    /// <summary>The same through a function that falls where its argument grows (seconds to bytes a second) or grows with it.</summary>
    public Summary Through(Func<double, double> function)
    {
        var (a, b) = (function(Minimum), function(Maximum));
        return new Summary(function(Median), Math.Min(a, b), Math.Max(a, b), Count);
    }

    public bool Overlaps(Summary other) => Minimum <= other.Maximum && other.Minimum <= Maximum;
}
