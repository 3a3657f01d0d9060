using Transfer.Ftp.Listing;

namespace Transfer.Tests.Ftp.Listing;

/// <summary>Each format has a line in docs/listings.md, and one that the fuzzer begins with.</summary>
public sealed class ListFormatTests
{
    private static readonly ListFormat[] Formats = [.. Enum.GetValues<ListFormat>().Where(format => format != ListFormat.Unknown)];

    [Test]
    public void Each_format_has_an_example_in_the_table_of_formats() => Assert.That(Formats.Except(Examples().Select(FormatOf)), Is.Empty);

    [Test]
    public void Each_format_has_a_seed_of_the_fuzzer()
    {
        var seeds = Directory.GetFiles(Path.Combine(Repository.Root, "fuzz", "seeds", "ftp-list"));
        Assert.That(Formats.Except(seeds.SelectMany(File.ReadAllLines).Select(FormatOf)), Is.Empty);
    }

    // The first code of the second column; a tab is shown as an arrow.
    private static IEnumerable<string> Examples() =>
        File.ReadLines(Path.Combine(Repository.Root, "docs", "listings.md")).SkipWhile(line => line != "## Formats")
            .SkipWhile(line => !line.StartsWith("|---", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Split('|')[2].Split('`'))
            .Where(parts => parts.Length > 1).Select(parts => parts[1].Replace('⇥', '\t'));

    private static ListFormat FormatOf(string line)
    {
        var parser = new ListParser();
        parser.TryParse(line, Listed.Context, out _);
        return parser.Format;
    }
}
