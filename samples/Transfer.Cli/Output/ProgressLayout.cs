namespace Transfer.Cli.Output;

/// <summary>The widths of the parts of a line of progress: none wraps, on narrow terminals the parts become shorter.</summary>
/// <param name="Name">The columns of the name.</param>
/// <param name="Bar">The columns of the bar.</param>
/// <param name="Text">The most columns of the text behind.</param>
internal readonly record struct ProgressLayout(int Name, int Bar, int Text)
{
    private const int Wide = 110;
    private const int Middle = 70;

    // A blank behind the name and the bar each, and one at the end of the line: a full line wraps on some terminals.
    private const int Blanks = 3;

    /// <summary>The layout for a terminal's width.</summary>
    public static ProgressLayout For(int width)
    {
        var (name, bar) = width >= Wide ? (28, 24) : width >= Middle ? (18, 10) : (11, 5);
        return new ProgressLayout(name, bar, Math.Max(4, width - name - bar - Blanks));
    }

    /// <summary>The first of some texts that has room, else the beginning of the last.</summary>
    public string Fit(params ReadOnlySpan<string> texts)
    {
        foreach (var text in texts)
            if (text.Length <= Text) return text;
        return texts[^1][..Text];
    }

    /// <summary>A name in exactly its columns, shortened in its midst: the parts that tell files apart are at the ends.</summary>
    public string NameOf(string name) => name.Length <= Name
        ? name.PadRight(Name) : string.Concat(name.AsSpan(0, Name / 2), "…", name.AsSpan(name.Length - (Name - Name / 2 - 1)));

    /// <summary>A message in lines that cover the ones of the display before.</summary>
    public static string Above(string text, int width)
    {
        var lines = new List<string> { string.Empty };
        foreach (var word in text.Split(' '))
        {
            if (lines[^1].Length == 0) lines[^1] = word;
            else if (lines[^1].Length + 1 + word.Length < width) lines[^1] += " " + word;
            else lines.Add(word);
        }

        return string.Join('\n', lines.Select(line => line.PadRight(width - 1)));
    }
}
