using System.Globalization;
using Spectre.Console;
using Transfer.Cli.Output;

namespace Transfer.Cli.Demo;

/// <summary>The demo's outcome as a table.</summary>
internal static class DemoTable
{
    public static string Render(CommandHost host, DemoTimes stock, DemoTimes ours, TimeSpan roundTrip)
    {
        var table = new Table().Border(host.OutputIsTerminal ? TableBorder.Rounded : TableBorder.Ascii2);
        table.AddColumn("Work");
        foreach (var heading in (string[])["One at a time", "round trips a file", "Transfer", "round trips a file", "Factor"])
            table.AddColumn(new TableColumn(heading).RightAligned());

        AddRow("60 small files up", t => t.SmallUp, DemoFiles.SmallCount);
        AddRow("60 small files down", t => t.SmallDown, DemoFiles.SmallCount);
        AddRow("1 large file up", t => t.LargeUp, files: null);
        AddRow("1 large file down", t => t.LargeDown, files: null);
        AddRow("All", t => t.All, files: null);

        using var text = new StringWriter(CultureInfo.InvariantCulture);
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(text),
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        console.Profile.Width = 120;
        console.Write(table);
        return text.ToString();

        void AddRow(string work, Func<DemoTimes, TimeSpan> time, int? files) => table.AddRow(
            work,
            Quantity.Time(time(stock)),
            RoundTrips(time(stock), files),
            Quantity.Time(time(ours)),
            RoundTrips(time(ours), files),
            (time(stock) / time(ours)).ToString("F1", CultureInfo.InvariantCulture) + "x");

        string RoundTrips(TimeSpan time, int? files) =>
            files is { } count ? (time / roundTrip / count).ToString("F1", CultureInfo.InvariantCulture) : string.Empty;
    }
}
