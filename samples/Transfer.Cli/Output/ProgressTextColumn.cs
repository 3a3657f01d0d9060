using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Transfer.Cli.Output;

/// <summary>Percentage, files, bytes, rate and time left, as far as they are known.</summary>
internal sealed class ProgressTextColumn(Func<ProgressTask, string> text) : ProgressColumn
{
    protected override bool NoWrap => true;

    public override IRenderable Render(RenderOptions options, ProgressTask task, TimeSpan deltaTime) =>
        new Spectre.Console.Text(text(task));

    public static string Format(TransferProgress now)
    {
        var parts = new List<string>(5);
        if (now.TotalBytes is > 0 and var total)
            parts.Add(string.Create(CultureInfo.InvariantCulture, $"{100 * Math.Min(now.Bytes, total) / total,3}%"));
        if (now.TotalFiles is { } files and not 1) parts.Add(string.Create(CultureInfo.InvariantCulture, $"{now.Files}/{files} files"));
        else if (now.TotalFiles is null) parts.Add(Quantity.Files(now.Files));
        parts.Add(now.TotalBytes is { } all ? $"{Quantity.Bytes(now.Bytes)} of {Quantity.Bytes(all)}" : Quantity.Bytes(now.Bytes));
        if (now.BytesPerSecond > 0) parts.Add(Quantity.Bytes(now.BytesPerSecond) + "/s");
        if (now.TimeLeft is { } left && left > TimeSpan.Zero) parts.Add(Text(left) + " left");

        return string.Join("  ", parts);
    }

    private static string Text(TimeSpan left)
    {
        var seconds = TimeSpan.FromSeconds(Math.Ceiling(left.TotalSeconds));
        return seconds.TotalHours >= 1 ? Quantity.Time(seconds) : seconds.ToString(@"m\:ss", CultureInfo.InvariantCulture);
    }
}
