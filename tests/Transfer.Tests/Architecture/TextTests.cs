using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>
/// The text of code and documents can be read by a stranger: lines end by column 140, and comments name their subjects (CONTRIBUTING,
/// Words). The bounds are counts in 1,000 words of comments; well-kept libraries have 4 to 9, 0 to 1 and 0.
/// </summary>
public sealed partial class TextTests
{
    private const int Width = 140;

    private static readonly string[] Folders = ["src", "tests", "samples", "benchmarks", "build", "fuzz"];

    private static IEnumerable<TestCaseData> Bounds() =>
    [
        new("it, its", 10.0),
        new("what, whatever", 2.0),
        new("who, whom, whose, whoever, nobody, somebody, everybody, others", 1.0),
        new("tell, tells, told, say, says, said, ask, asks, asked", 1.5),
    ];

    [Test]
    public void Lines_of_code_end_by_column_140()
    {
        var files = Folders.SelectMany(folder => Sources(folder)).ToArray();
        Assert.That(files, Has.Length.GreaterThan(1000));
        Assert.That(files.SelectMany(LongLines), Is.Empty);
    }

    [Test]
    public void Lines_of_documents_end_by_column_140()
    {
        // Lines of the changelog are the packages' release notes; reports and measurements are made by programs, or history.
        var files = Directory.EnumerateFiles(Repository.Root, "*.md").Where(path => Path.GetFileName(path) != "CHANGELOG.md")
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories)
                .Where(path => Path.GetFileName(Path.GetDirectoryName(path)) is not ("reports" or "measurements")));
        Assert.That(files.SelectMany(LongProse), Is.Empty);
    }

    [TestCaseSource(nameof(Bounds))]
    public void Comments_name_their_subjects(string words, double most)
    {
        var counted = words.Split(", ").ToHashSet();
        var all = Sources("src").SelectMany(File.ReadLines).Select(line => Comment().Match(line)).Where(match => match.Success)
            .SelectMany(match => Word().Matches(Tag().Replace(match.Groups[1].Value, " "))).Select(match => match.Value.ToLowerInvariant())
            .ToArray();
        Assert.That(all, Has.Length.GreaterThan(50_000));
        Assert.That(1000.0 * all.Count(counted.Contains) / all.Length, Is.LessThanOrEqualTo(most), $"of 1,000 words: {words}");
    }

    private static IEnumerable<string> Sources(string folder) =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories)
            .Where(path => !path.Contains("/obj/", StringComparison.Ordinal) && !path.Contains("/bin/", StringComparison.Ordinal));

    private static IEnumerable<string> LongLines(string path)
    {
        var isRaw = false;
        foreach (var (number, line) in File.ReadLines(path).Index())
        {
            if (line.Length > Width && !isRaw && !Literal().IsMatch(line)) yield return Place(path, number);
            if (line.Split("\"\"\"").Length % 2 == 0) isRaw = !isRaw;
        }
    }

    private static IEnumerable<string> LongProse(string path)
    {
        var isCode = false;
        foreach (var (number, line) in File.ReadLines(path).Index())
        {
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal)) isCode = !isCode;
            var isProse = !isCode
                && !line.StartsWith("    ", StringComparison.Ordinal) && !line.StartsWith('|') && !line.Contains("](",
                    StringComparison.Ordinal);
            if (line.Length > Width && isProse) yield return Place(path, number);
        }
    }

    private static string Place(string path, int index) => $"{Path.GetRelativePath(Repository.Root, path)}:{index + 1}";

    // A literal alone in its line, such as a key or a pattern, may be longer.
    [GeneratedRegex("""^\s*([+?:] )?[$@]*".*"[^"]{0,40}$""")]
    private static partial Regex Literal();

    [GeneratedRegex(@"^\s*//[/ ](.*)$")]
    private static partial Regex Comment();

    [GeneratedRegex("<[^>]+>")]
    private static partial Regex Tag();

    [GeneratedRegex("[A-Za-z']+")]
    private static partial Regex Word();
}
