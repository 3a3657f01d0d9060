namespace Transfer.Wan.Reports.Charts;

/// <summary>A logarithmic axis: values from the domain, places on the canvas.</summary>
internal sealed class LogScale
{
    private readonly double _from;
    private readonly double _to;

    private LogScale(double minimum, double maximum, double from, double to) =>
        (Minimum, Maximum, _from, _to) = (minimum, maximum, from, to);

    public double Minimum { get; }

    public double Maximum { get; }

    /// <summary>1, 2 and 5 of each decade; only the decades where there are many of them.</summary>
    public IReadOnlyList<double> Ticks
    {
        get
        {
            var all = Steps(Minimum, Maximum).ToList();
            return all.Count <= 12 ? all : [.. all.Where(tick => Math.Abs(Math.Log10(tick) - Math.Round(Math.Log10(tick))) < 1e-9)];
        }
    }

    /// <summary>
    /// An axis on which all the values lie: from the step of 1, 2 or 5 at or below the smallest to that at or above the largest.
    /// </summary>
    public static LogScale Around(IEnumerable<double> values, double from, double to)
    {
        var (minimum, maximum) = (double.PositiveInfinity, 0.0);
        foreach (var value in values)
        {
            if (!(value > 0) || double.IsInfinity(value))
                throw new ArgumentOutOfRangeException(nameof(values), value, "a logarithmic axis has no place for it");
            (minimum, maximum) = (Math.Min(minimum, value), Math.Max(maximum, value));
        }

        if (maximum == 0) throw new ArgumentException("an axis needs a value", nameof(values));
        var low = Steps(minimum / 10, minimum).Last();
        var high = Steps(maximum, maximum * 10).First();
        if (low == high) (low, high) = (Steps(low / 10, low * 0.99).Last(), Steps(high * 1.01, high * 10).First());
        return new LogScale(low, high, from, to);
    }

    public double Place(double value) => _from + (Math.Log(value / Minimum) / Math.Log(Maximum / Minimum) * (_to - _from));

    private static IEnumerable<double> Steps(double from, double to)
    {
        for (var decade = (int)Math.Floor(Math.Log10(from)); decade <= Math.Ceiling(Math.Log10(to)); decade++)
        {
            foreach (var step in (double[])[1, 2, 5])
            {
                // By division where the power is negative: 5 / 10 is 0.5, 5 * 0.1 need not be.
                var tick = decade < 0 ? step / Math.Pow(10, -decade) : step * Math.Pow(10, decade);
                if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) yield return tick;
            }
        }
    }
}
