using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Transfer.Cli.Output;

/// <summary>A text of a task, as it is: a file's name may look like the markup of a style or of an emoji.</summary>
internal sealed class ProgressTextColumn(Func<ProgressTask, string> text) : ProgressColumn
{
    protected override bool NoWrap => true;

    public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime) =>
        new Spectre.Console.Text(text(task));

    /// <summary>
    /// Percentage, files, bytes, rate and time left, as far as they are known and have room; the percentage, the rate and the time left
    /// stay the longest.
    /// </summary>
    public static string Format(TransferProgress now, ProgressLayout layout)
    {
        var percent = now.TotalBytes is > 0 and var total
            ? string.Create(CultureInfo.InvariantCulture, $"{100 * Math.Min(now.Bytes, total) / total,3}%") : null;
        var files = now.TotalFiles is { } all
            ? all == 1 ? null : string.Create(CultureInfo.InvariantCulture, $"{now.Files}/{all} files") : Quantity.Files(now.Files);
        var bytes = now.TotalBytes is { } most ? $"{Quantity.Bytes(now.Bytes)} of {Quantity.Bytes(most)}" : Quantity.Bytes(now.Bytes);
        var rate = now.BytesPerSecond > 0 ? Quantity.Bytes(now.BytesPerSecond) + "/s" : null;
        var left = now.TimeLeft is { } time && time > TimeSpan.Zero ? Text(time) : null;
        var ends = left is null ? null : left + " left";
        return layout.Fit(Join("  ", percent, files, bytes, rate, ends), Join("  ", percent, bytes, rate, ends),
            Join("  ", percent ?? bytes, rate, ends), Join(" ", percent ?? bytes, rate, left), percent ?? bytes);
    }

    private static string Join(string between, params string?[] parts) => string.Join(between, parts.Where(part => part is not null));

    private static string Text(TimeSpan left)
    {
        var seconds = TimeSpan.FromSeconds(Math.Ceiling(left.TotalSeconds));
        return seconds.TotalHours >= 1 ? Quantity.Time(seconds) : seconds.ToString(@"m\:ss", CultureInfo.InvariantCulture);
    }
}
