using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Charts;

/// <summary>Lines over two logarithmic axes, each named at its end.</summary>
internal static class LineChart
{
    private const double Width = 860;
    private const double Height = 480;
    private const double Left = 64;
    private const double Top = 44;
    private const double Bottom = Height - 56;
    private const double LabelHeight = 15;

    public static string Draw(string title, string description, string xLabel, string yLabel, IReadOnlyList<ChartSeries> series)
    {
        var canvas = new SvgCanvas(Width, Height, title, description);
        var right = Width - 24 - series.Max(one => SvgCanvas.WidthOf(one.Name)) - 14;
        double[] xs = [.. series.SelectMany(one => one.Points.Select(point => point.X)).Distinct().Order()];
        var x = LogScale.Around(xs, Left + 12, right);
        var y = LogScale.Around(series.SelectMany(one => one.Points.Select(point => point.Y)), Bottom, Top);
        foreach (var tick in y.Ticks)
        {
            canvas.Line(Left, y.Place(tick), right, y.Place(tick), "grid");
            canvas.Write(Left - 8, y.Place(tick) + 4, Tick(tick), "small", "end");
        }

        // Where something was measured, not where a decade ends.
        foreach (var tick in xs)
        {
            canvas.Line(x.Place(tick), Top, x.Place(tick), Bottom, "grid");
            canvas.Write(x.Place(tick), Bottom + 18, Tick(tick), "small", "middle");
        }

        canvas.Line(Left, Bottom, right, Bottom, "axis");
        canvas.Write((Left + right) / 2, Bottom + 40, xLabel, anchor: "middle");
        canvas.Write(18, (Top + Bottom) / 2, yLabel, anchor: "middle", rotation: -90);
        // Ours last, so that they lie on top.
        foreach (var (index, one) in series.Index().OrderBy(pair => pair.Item.IsOurs)) DrawSeries(canvas, x, y, index, one, yLabel);
        foreach (var (index, place) in LabelPlaces(series, y))
        {
            var css = Palette.ClassOf(index);
            canvas.Mark(right + 10, place - 4, index, css, series[index].Name);
            canvas.Write(right + 20, place, series[index].Name, series[index].IsOurs ? css + " ours" : css);
        }

        return canvas.ToString();
    }

    private static void DrawSeries(SvgCanvas canvas, LogScale x, LogScale y, int index, ChartSeries series, string unit)
    {
        var css = Palette.ClassOf(index);
        canvas.Path(series.Points.Select(point => (x.Place(point.X), y.Place(point.Y))), series.IsOurs ? css + " ours" : css);
        foreach (var (px, py) in series.Points)
        {
            canvas.Mark(x.Place(px), y.Place(py), index, css,
                $"{series.Name}, {Tick(px)}: {Format.Digits(py)} {unit}");
        }
    }

    /// <summary>Each name beside the end of its line, or as near as the others allow.</summary>
    private static List<(int Series, double Place)> LabelPlaces(IReadOnlyList<ChartSeries> series, LogScale y)
    {
        var ends = series.Index().Where(pair => pair.Item.Points.Count > 0).Select(
            pair => (Series: pair.Index, Place: y.Place(pair.Item.Points[^1].Y) + 4)).OrderBy(end => end.Place).ToList();
        var lowest = double.NegativeInfinity;
        for (var i = 0; i < ends.Count; i++) ends[i] = (ends[i].Series, lowest = Math.Max(ends[i].Place, lowest + LabelHeight));
        // What has been pushed out at the bottom is pushed back up, and pushes what is above it.
        var highest = Bottom + LabelHeight;
        for (var i = ends.Count - 1; i >= 0; i--) ends[i] = (ends[i].Series, highest = Math.Min(ends[i].Place, highest - LabelHeight));
        return ends;
    }

    private static string Tick(double value) => Format.Text($"{value:#,0.###}");
}
