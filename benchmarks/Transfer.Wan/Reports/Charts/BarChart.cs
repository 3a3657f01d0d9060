using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports.Charts;

/// <summary>Bars from 0, one below the other, with the range of the repeats and the figure behind each.</summary>
internal static class BarChart
{
    private const double LeastWidth = 860;
    private const double LeastBars = 300;
    private const double Top = 44;
    private const double RowHeight = 26;
    private const double FigureWidth = 150;

    public static string Draw(string title, string description, IReadOnlyList<Bar> bars, Func<double, string> format)
    {
        var height = Top + (bars.Count * RowHeight) + 16;
        var left = 24 + bars.Max(bar => SvgCanvas.WidthOf(bar.Name));
        var width = Math.Max(LeastWidth, left + LeastBars + FigureWidth);
        var canvas = new SvgCanvas(width, height, title, description);
        var longest = bars.Max(bar => bar.Value?.Maximum ?? 0);
        var scale = longest > 0 ? (width - left - FigureWidth) / longest : 0;
        foreach (var (index, bar) in bars.Index())
        {
            var middle = Top + ((index + 0.5) * RowHeight);
            canvas.Write(left - 8, middle + 4, bar.Name, bar.IsOurs ? "ours" : string.Empty, "end");
            if (bar.Value is not { } value)
            {
                canvas.Write(left + 6, middle + 4, "failed", "small");
                continue;
            }

            var box = canvas.Rectangle(left, middle - 8, value.Median * scale, 16,
                bar.IsOurs ? Palette.ClassOf(0) : Palette.ClassOf(6) + " peer");
            SvgCanvas.Hint(box, $"{bar.Name}: {format(value.Median)} ({Format.Range(value.Minimum, value.Maximum, format)})");
            if (value.Maximum > value.Minimum)
                canvas.Line(left + (value.Minimum * scale), middle, left + (value.Maximum * scale), middle, "span");
            var figure = bar.Note is null ? format(value.Median) : $"{format(value.Median)} ({bar.Note})";
            canvas.Write(left + (value.Maximum * scale) + 8, middle + 4, figure, bar.IsOurs ? "ours" : string.Empty);
        }

        canvas.Line(left, Top, left, height - 14, "axis");
        return canvas.ToString();
    }
}
