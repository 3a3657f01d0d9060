using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>C# in documents is from samples/, which the build compiles and these tests run.</summary>
[TestFixture]
public sealed partial class DocumentedCodeTests
{
    private static readonly IReadOnlyList<string[]> Samples =
    [
        .. Directory.EnumerateFiles(Path.Combine(Repository.Root, "samples"), "*.cs", SearchOption.AllDirectories).Select(
            path => Lines(File.ReadAllText(path))),
    ];

    private static IEnumerable<TestCaseData> Blocks() =>
        from path in Documents()
        from block in Block().Matches(File.ReadAllText(path)).Select((match, number) => (Text: match.Groups[1].Value, Number: number + 1))
        select new TestCaseData(block.Text).SetArgDisplayNames($"{Path.GetRelativePath(Repository.Root, path)}, {block.Number}");

    [TestCaseSource(nameof(Blocks))]
    public void Code_in_a_document_is_part_of_a_sample(string code)
    {
        // A sample has its using directives at the head of its file.
        var lines = Lines(code).SkipWhile(
            line => line.StartsWith("using ", StringComparison.Ordinal) && line.Contains(';', StringComparison.Ordinal)
                && !line.Contains('=', StringComparison.Ordinal)).ToArray();
        Assert.That(Samples.Any(sample => Contains(sample, lines)), $"no file in samples/ has these lines:\n{string.Join('\n', lines)}");
    }

    private static IEnumerable<string> Documents() =>
        new[] { "README.md", "SECURITY.md", "CONTRIBUTING.md" }.Select(name => Path.Combine(Repository.Root, name))
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "README.md", SearchOption.AllDirectories));

    // Without indentation and empty lines, which differ by where the code stands.
    private static string[] Lines(string text) => [.. text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0)];

    private static bool Contains(string[] sample, string[] lines) =>
        Enumerable.Range(0, Math.Max(0, sample.Length - lines.Length + 1)).Any(
            start => sample.AsSpan(start, lines.Length).SequenceEqual(lines));

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();
}
