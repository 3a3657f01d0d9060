using System.Text;
using Transfer.Wan.Reports.Published;
using Transfer.Wan.Reports.Text;

namespace Transfer.Wan.Reports;

/// <summary>A report while it is written: a markdown page and its charts.</summary>
internal sealed class ReportPage(string report)
{
    private readonly StringBuilder _text = new();
    private readonly Dictionary<string, string> _files = [];

    public void Heading(string text, int level = 2) => Paragraph(new string('#', level) + " " + text);

    public void Paragraph(string text)
    {
        if (_text.Length > 0) _text.Append('\n');
        _text.Append(text).Append('\n');
    }

    /// <summary>A list with a point for each; nothing without points.</summary>
    public void Points(IEnumerable<string> points)
    {
        var text = string.Join('\n', points.Select(point => "- " + point.ReplaceLineEndings(" ")));
        if (text.Length > 0) Paragraph(text);
    }

    public void Table(MarkdownTable table)
    {
        if (!table.IsEmpty) Paragraph(table.ToString().TrimEnd('\n'));
    }

    public void Command(string command) => Paragraph("    " + command.ReplaceLineEndings("\n    "));

    public void Published(PublishedTable published)
    {
        var table = new MarkdownTable([.. published.Headers]);
        foreach (var row in published.Rows) table.Add(row);
        Paragraph($"Published ({published.Document}), on other hardware:");
        Table(table);
        Paragraph(published.Remark);
    }

    /// <summary>A chart in a file of its own, shown here.</summary>
    public void Chart(string name, string title, string svg)
    {
        var file = $"{report}-{name}.svg";
        _files[file] = svg;
        Paragraph($"![{title}]({file})");
    }

    /// <summary>All files of the report, by name.</summary>
    public IReadOnlyDictionary<string, string> Finish()
    {
        _files[report + ".md"] = _text.ToString();
        return _files;
    }
}
