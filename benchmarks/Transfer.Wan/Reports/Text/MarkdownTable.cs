using System.Text;

namespace Transfer.Wan.Reports.Text;

/// <summary>A table of a markdown page, padded so that it reads as one in the raw too.</summary>
internal sealed class MarkdownTable
{
    private readonly bool[] _isRight;
    private readonly List<string[]> _rows = [];

    /// <param name="headers">The columns' headers; those that begin with <c>&gt;</c> have their cells on the right.</param>
    public MarkdownTable(params string[] headers)
    {
        _isRight = [.. headers.Select(header => header.StartsWith('>'))];
        _rows.Add([.. headers.Select(header => Escape(header.TrimStart('>')))]);
    }

    public bool IsEmpty => _rows.Count == 1;

    public MarkdownTable Add(params string[] cells)
    {
        if (cells.Length != _isRight.Length)
            throw new ArgumentException($"{cells.Length} cells for {_isRight.Length} columns", nameof(cells));
        _rows.Add([.. cells.Select(Escape)]);
        return this;
    }

    public override string ToString()
    {
        var widths = Enumerable.Range(0, _isRight.Length).Select(column => Math.Max(3, _rows.Max(row => row[column].Length))).ToArray();
        var text = new StringBuilder();
        foreach (var (index, row) in _rows.Index())
        {
            text.Append('|').AppendJoin('|', row.Select((cell, column) => $" {Pad(cell, column)} ")).Append("|\n");
            if (index == 0)
            {
                text.Append('|').AppendJoin('|',
                    widths.Select((width, column) => _isRight[column] ? new string('-', width + 1) + ":" : new string('-', width + 2)))
                    .Append("|\n");
            }
        }

        return text.ToString();

        string Pad(string cell, int column) => _isRight[column] ? cell.PadLeft(widths[column]) : cell.PadRight(widths[column]);
    }

    private static string Escape(string cell) => cell.ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal).Trim();
}
