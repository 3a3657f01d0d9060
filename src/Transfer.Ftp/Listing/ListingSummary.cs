using System.Globalization;
using Transfer.Sessions;

namespace Transfer.Ftp.Listing;

/// <summary>Counts the kinds of lines while a listing is read, to judge whether the entries are complete.</summary>
internal sealed class ListingSummary
{
    private const int MostShown = 60;

    private const int MostUntyped = 1000;

    private readonly HashSet<string> _untyped = new(StringComparer.Ordinal);
    private string? _firstSkipped;

    /// <summary>The number of lines with a name, <c>.</c>, <c>..</c> and dropped names included.</summary>
    public long Named { get; set; }

    /// <summary>The number of lines understood but without a name: totals, headers. Empty lines do not count.</summary>
    public long Frames { get; set; }

    /// <summary>Whether a name begins with a dot, <c>.</c> and <c>..</c> included.</summary>
    public bool HasDots { get; set; }

    /// <summary>Whether the lines are those of <c>ls -l</c>, which hides names that begin with a dot; true too without lines.</summary>
    public bool IsUnix { get; set; }

    /// <summary>Whether the directory's own line says that it cannot be entered: then entries may be missing.</summary>
    public bool IsClosed { get; set; }

    /// <summary>The number of lines that no format fits.</summary>
    public int Skipped { get; private set; }

    /// <summary>The names in lines of MLSD that give no type. Not yet in the report: LIST may have the types.</summary>
    public IReadOnlySet<string> Untyped => _untyped;

    /// <summary>The number of unusable names.</summary>
    public int Dropped { get; set; }

    /// <summary>The most bytes of lines without an entry: a server may send such lines without end.</summary>
    public long MostUnused { get; init; } = long.MaxValue;

    /// <summary>The number of bytes of lines that gave no entry, line ends included.</summary>
    public long Unused { get; set; }

    /// <summary>Whether the data ended inside a line, which was not used.</summary>
    public bool IsCut { get; set; }

    /// <summary>The number of lines about an entry, understood or not.</summary>
    public long Counted => Named + Skipped + _untyped.Count;

    /// <summary>Whether there were lines, but no line with a name was understood.</summary>
    public bool IsUnintelligible => Named == 0 && Counted > 0;

    /// <summary>Whether no line held any information: so look empty folders, and in LIST also unreadable ones.</summary>
    public bool IsSilent => Counted == 0 && Frames == 0 && !IsCut;

    /// <summary>The first line that no format fits, in a form to show; null: none.</summary>
    public string? FirstSkipped => _firstSkipped;

    /// <summary>Counts a line that no format fits.</summary>
    public void Skip(ReadOnlySpan<char> line)
    {
        Skipped++;
        _firstSkipped ??= Show(line);
    }

    /// <summary>Keeps the name in a line that gives no type; a line too many counts as one that no format fits.</summary>
    public void SkipUntyped(ReadOnlySpan<char> line, string name)
    {
        if (_untyped.Count < MostUntyped && _untyped.Add(name)) _firstSkipped ??= Show(line);
        else Skip(line);
    }

    /// <summary>Counts lines that began a record without an end.</summary>
    public void SkipIncomplete(int lines) => Skipped += lines;

    /// <summary>Adds the gaps of the listing to a report.</summary>
    public void ReportGaps(ListingReport report)
    {
        if (IsCut) report.AddGap("its data ends inside a line");
        if (Skipped > 0) report.AddGap(Lines() + (FirstSkipped is { } line ? $" (the first: {line})" : string.Empty));
        if (Dropped > 0)
        {
            report.AddGap(
                string.Create(CultureInfo.InvariantCulture, $"{Dropped} names hold a slash, CR or NUL, or nothing, and were dropped"));
        }
    }

    private string Lines() =>
        string.Create(CultureInfo.InvariantCulture, $"{Skipped} {(Skipped == 1 ? "line was" : "lines were")} not understood");

    private static string Show(ReadOnlySpan<char> line)
    {
        var shown = line.Trim();
        var text = shown.Length <= MostShown ? shown.ToString() : string.Concat(shown[..MostShown], "…");
        return string.Create(text.Length, text, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++) span[i] = char.IsControl(source[i]) ? '?' : source[i];
        });
    }
}
