using System.Globalization;
using Spectre.Console;
using Transfer.Cli.Output;

namespace Transfer.Cli.Demo;

/// <summary>The demo's outcome as a table.</summary>
internal static class DemoTable
{
    public static string Render(CommandHost host, IReadOnlyList<DemoWork> rows, TimeSpan roundTrip)
    {
        var table = new Table().Border(host.OutputIsTerminal ? TableBorder.Rounded : TableBorder.Ascii2);
        table.AddColumn("Work");
        foreach (var heading in (string[])["One at a time", "round trips a file", "Transfer", "round trips a file", "Factor"])
            table.AddColumn(new TableColumn(heading).RightAligned());
        foreach (var row in rows)
        {
            var factor = (row.Stock / row.Ours).ToString("F1", CultureInfo.InvariantCulture) + "x";
            table.AddRow(
                row.Name, Quantity.Time(row.Stock), RoundTrips(row.Stock, row.Files),
                Quantity.Time(row.Ours), RoundTrips(row.Ours, row.Files), factor);
        }

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

        // Of a large file they say nothing.
        string RoundTrips(TimeSpan time, int files) =>
            files > 1 ? (time / roundTrip / files).ToString("F1", CultureInfo.InvariantCulture) : string.Empty;
    }
}
