using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>C# in documents is from samples/, which the build compiles and these tests run. Code for a package that is not in every
/// registry is compiled with a property only.</summary>
[TestFixture]
public sealed partial class DocumentedCodeTests
{
    // FluentFTP's side of docs/migrate-from-fluentftp.md, which says so.
    private static readonly string[] Conditional = ["samples/FluentFtpMigration/Between.cs", "samples/FluentFtpMigration/Theirs.cs"];

    private static readonly string Folder = Path.Combine(Repository.Root, "samples");

    // What an #if may leave out counts for these two files only.
    private static readonly IReadOnlyList<string[]> Samples =
    [
        .. Files().Select(path => Lines(Conditional.Contains(NameOf(path)) ? File.ReadAllText(path)
            : Condition().Replace(File.ReadAllText(path), string.Empty))),
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

    [Test]
    public void Only_the_code_over_FluentFTP_is_left_out_of_the_default_build()
    {
        Assert.That(Files().Where(path => File.ReadAllText(path).StartsWith("#if", StringComparison.Ordinal)).Select(NameOf),
            Is.EquivalentTo(Conditional));
        var solution = File.ReadAllText(Path.Combine(Repository.Root, "Transfer.slnx"));
        Assert.That(Directory.EnumerateFiles(Folder, "*.csproj", SearchOption.AllDirectories).Select(NameOf).Where(
            project => !solution.Contains($"\"{project}\"", StringComparison.Ordinal)), Is.Empty, "samples that no build compiles");
    }

    private static IEnumerable<string> Files() =>
        Directory.EnumerateFiles(Folder, "*.cs", SearchOption.AllDirectories).Where(path => !NameOf(path).Contains("/obj/",
            StringComparison.Ordinal));

    private static string NameOf(string path) => Path.GetRelativePath(Repository.Root, path).Replace('\\', '/');

    private static IEnumerable<string> Documents() =>
        new[] { "README.md", "SECURITY.md", "CONTRIBUTING.md" }.Select(name => Path.Combine(Repository.Root, name))
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "README.md", SearchOption.AllDirectories));

    // Without indentation and empty lines, which differ by where the code stands.
    private static string[] Lines(string text) => [.. text.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0)];

    private static bool Contains(string[] sample, string[] lines) =>
        Enumerable.Range(0, Math.Max(0, sample.Length - lines.Length + 1)).Any(
            start => sample.AsSpan(start, lines.Length).SequenceEqual(lines));

    [GeneratedRegex("^#if.*?^#endif", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Condition();

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();
}
