using System.Collections.Concurrent;
using System.Text;
using Transfer.ServerTests.Foreign.Checks;
using Transfer.ServerTests.Foreign.Servers;
using Transfer.ServerTests.Servers;

namespace Transfer.ServerTests.Foreign;

/// <summary>
/// docs/servers.md: what was found for each server and check. A cell is "yes", or names the note about the server's limit. A run with
/// TRANSFER_SERVERS_REPORT writes the tables, and leaves the notes, which a person writes.
/// </summary>
internal static class ServersPage
{
    public const string Good = "yes";
    public const string Advice = "TRANSFER_SERVERS_REPORT=1 writes the page.";

    private const string NewGap = "no (?)";

    private static readonly ConcurrentDictionary<(ForeignServer Column, Check Row), bool> Found = new();
    private static readonly Lazy<string[]> Lines = new(() => File.ReadAllLines(PageFile));

    /// <summary>Whether this run writes the page, instead of being compared with it.</summary>
    public static bool IsWritten { get; } = Environment.GetEnvironmentVariable("TRANSFER_SERVERS_REPORT") is { Length: > 0 };

    private static string PageFile => Path.Combine(ServerFiles.Repository, "docs", "servers.md");

    public static void Note(ForeignServer column, Check row, bool goes) => Found[(column, row)] = goes;

    /// <summary>What the page has for a cell; empty: it has none.</summary>
    public static string Cell(ForeignServer column, Check row)
    {
        var table = Table(column.IsSftp).ToArray();
        var at = table.Length == 0 ? -1 : Array.IndexOf(Cells(table[0]), column.Name);
        var line = table.Select(Cells).FirstOrDefault(cells => cells[0] == row.Title);
        return at > 0 && line is not null ? line[at] : string.Empty;
    }

    /// <summary>The text of the page.</summary>
    public static string Text => string.Join('\n', Lines.Value);

    /// <summary>Writes the tables anew, if this is such a run: columns that did not run stay as they are.</summary>
    public static void Write()
    {
        if (!IsWritten) return;
        var text = new StringBuilder();
        var isTable = false;
        foreach (var line in Lines.Value)
        {
            isTable = line is "## FTP" or "## SFTP" || (isTable && (line.Length == 0 || line.StartsWith('|')));
            if (isTable && !line.StartsWith('#')) continue;
            text.Append(line).Append('\n');
            if (line is "## FTP" or "## SFTP") text.Append(Render(line == "## SFTP"));
        }

        File.WriteAllText(PageFile, text.ToString());
    }

    private static string Render(bool isSftp)
    {
        var columns = isSftp ? ForeignServer.Sftp : ForeignServer.Ftp;
        var lines = Check.All.Select(row => $"| {row.Title} | {string.Join(" | ", columns.Select(column => Outcome(column, row)))} |");
        return $"\n| | {string.Join(" | ", columns.Select(column => column.Name))} |\n|---|{string.Concat(columns.Select(_ => "---|"))}\n"
            + string.Join('\n', lines) + "\n\n";
    }

    private static string Outcome(ForeignServer column, Check row)
    {
        var before = Cell(column, row);
        if (!Found.TryGetValue((column, row), out var goes)) return before;
        return goes ? Good : before is Good or "" ? NewGap : before;
    }

    private static IEnumerable<string> Table(bool isSftp) =>
        Lines.Value.SkipWhile(line => line != (isSftp ? "## SFTP" : "## FTP")).Skip(1)
            .TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal)).Where(line => line.StartsWith('|'));

    private static string[] Cells(string line) => [.. line.Split('|')[1..^1].Select(cell => cell.Trim())];
}
