using System.Text.RegularExpressions;

namespace Transfer.Tests.Architecture;

/// <summary>Links between documents lead somewhere: to a file or folder of the repository, and to a heading where one is named.</summary>
[TestFixture]
public sealed partial class DocumentedLinkTests
{
    private static IEnumerable<TestCaseData> Documents() =>
        Directory.EnumerateFiles(Repository.Root, "*.md").Concat(
            new[] { "docs", "src", "samples", ".github" }.Select(folder => Path.Combine(Repository.Root, folder)).Where(Directory.Exists)
                .SelectMany(folder => Directory.EnumerateFiles(folder, "*.md", SearchOption.AllDirectories)))
            .Select(path => new TestCaseData(path).SetArgDisplayNames(Path.GetRelativePath(Repository.Root, path)));

    [TestCaseSource(nameof(Documents))]
    public void A_link_in_a_document_leads_to_what_exists(string document)
    {
        var dead = Link().Matches(Prose(document)).Select(match => match.Groups[1].Value)
            .Where(link => !link.Contains(':', StringComparison.Ordinal) && !Leads(document, link)).ToArray();
        Assert.That(dead, Is.Empty);
    }

    [Test]
    public void Every_page_is_in_the_index_and_in_the_contents_of_the_site()
    {
        var docs = Path.Combine(Repository.Root, "docs");
        var pages = new[] { "", "guide", "internals" }.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(docs, folder), "*.md"))
            .Select(path => Path.GetRelativePath(docs, path).Replace('\\', '/')).Where(page => page != "README.md").ToArray();
        var index = File.ReadAllText(Path.Combine(docs, "README.md"));
        var contents = File.ReadAllLines(Path.Combine(docs, "toc.yml")).Select(line => line.Trim()).ToHashSet();
        Assert.Multiple(() =>
        {
            Assert.That(pages.Where(page => !index.Contains($"]({page})", StringComparison.Ordinal)), Is.Empty,
                "docs/README.md lacks pages");
            Assert.That(pages.Where(page => !contents.Contains($"href: {page}")), Is.Empty, "docs/toc.yml lacks pages");
        });
    }

    private static bool Leads(string document, string link)
    {
        var parts = link.Split('#', 2);
        var target = parts[0].Length == 0 ? document : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(document)!, parts[0]));
        if (parts.Length == 1) return Path.Exists(target);
        return File.Exists(target) && Heading().Matches(Prose(target)).Any(match => Anchor(match.Groups[1].Value) == parts[1]);
    }

    // As GitHub and Markdig's AutoIdentifiers name headings: lower case, hyphens for spaces, no punctuation.
    private static string Anchor(string heading) =>
        string.Concat(heading.Trim().ToLowerInvariant().Where(c => char.IsLetterOrDigit(c) || c is ' ' or '-' or '_')).Replace(' ', '-');

    private static string Prose(string document) => Code().Replace(File.ReadAllText(document), "");

    [GeneratedRegex(@"\]\(([^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("^#+ (.*)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Code();
}
