namespace Transfer.CmdletHelp;

/// <summary>A page of a cmdlet: what it does in more words, and examples, each with a title, code and what it shows.</summary>
/// <param name="Description">Paragraphs.</param>
/// <param name="Examples">The examples.</param>
internal sealed record ExamplePage(IReadOnlyList<string> Description, IReadOnlyList<(string Title, string Code, string Remarks)> Examples)
{
    private const string Fence = "```";

    /// <summary>Reads a page: a title, paragraphs, and sections with a block of code each.</summary>
    /// <exception cref="InvalidDataException">There is none, or it has no example.</exception>
    public static ExamplePage Read(string path)
    {
        if (!File.Exists(path)) throw new InvalidDataException($"{Path.GetFileName(path)} is missing: each cmdlet has a page of examples.");
        var sections = File.ReadAllText(path).ReplaceLineEndings("\n").Split("\n## ");
        var examples = sections.Skip(1).Select(section => Example(path, section)).ToList();
        if (examples.Count == 0) throw new InvalidDataException($"{path} has no example.");
        return new(Paragraphs(sections[0][sections[0].IndexOf('\n', StringComparison.Ordinal)..]), examples);
    }

    private static (string Title, string Code, string Remarks) Example(string path, string section)
    {
        var parts = section.Split(Fence);
        if (parts.Length != 3) throw new InvalidDataException($"{path}: an example has a title, one block of code, and what it shows.");
        var code = parts[1][parts[1].IndexOf('\n', StringComparison.Ordinal)..].Trim('\n');
        return (parts[0].Trim(), code, string.Join(' ', Paragraphs(parts[2])));
    }

    private static List<string> Paragraphs(string text) =>
        [.. text.Split("\n\n").Select(paragraph => paragraph.Replace('\n', ' ').Replace("`", string.Empty, StringComparison.Ordinal).Trim())
            .Where(paragraph => paragraph.Length > 0)];
}
