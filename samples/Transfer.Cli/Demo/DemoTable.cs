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
        table.AddColumn(new TableColumn(Text("Work")));
        foreach (var heading in (string[])["One at a time", "round trips a file", "Transfer", "round trips a file", "Factor"])
            table.AddColumn(new TableColumn(Text(heading)).RightAligned());
        foreach (var row in rows)
        {
            var factor = (row.Stock / row.Ours).ToString("F1", CultureInfo.InvariantCulture) + "x";
            table.AddRow(
                Text(row.Name), Text(Quantity.Time(row.Stock)), Text(RoundTrips(row.Stock, row.Files)),
                Text(Quantity.Time(row.Ours)), Text(RoundTrips(row.Ours, row.Files)), Text(factor));
        }

        using var output = new StringWriter(CultureInfo.InvariantCulture);
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(output),
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.No,
        });
        console.Profile.Width = 120;
        console.Write(table);
        return output.ToString();

        static Spectre.Console.Text Text(string text) => new(text);

        // Of a large file they say nothing.
        string RoundTrips(TimeSpan time, int files) =>
            files > 1 ? (time / roundTrip / files).ToString("F1", CultureInfo.InvariantCulture) : string.Empty;
    }
}
