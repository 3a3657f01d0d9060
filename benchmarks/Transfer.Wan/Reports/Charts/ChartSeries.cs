namespace Transfer.Wan.Reports.Charts;

/// <summary>A line of a chart.</summary>
/// <param name="Name">What is written at its end.</param>
/// <param name="IsOurs">Drawn thick.</param>
/// <param name="Points">In the order of X; both above 0.</param>
internal sealed record ChartSeries(string Name, bool IsOurs, IReadOnlyList<(double X, double Y)> Points);
