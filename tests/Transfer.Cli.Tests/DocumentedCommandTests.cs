using System.Text.RegularExpressions;

namespace Transfer.Cli.Tests;

/// <summary>Commands in documents exist, with their options.</summary>
[TestFixture]
public sealed partial class DocumentedCommandTests
{
    private static readonly string[] Everywhere = ["--help", "--version"];

    private static IEnumerable<TestCaseData> Commands() =>
        from document in Documents()
        from match in Command().Matches(File.ReadAllText(document))
        group match.Value.Trim() by match.Groups["verb"].Value into verb
        select new TestCaseData(verb.Key, verb.Distinct().ToArray()).SetArgDisplayNames(verb.Key);

    // Reports name their rows in their own way, and the change log has options that are gone.
    private static IEnumerable<string> Documents() =>
        new[] { "", "docs", "docs/guide" }.SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.md"))
            .Where(path => Path.GetFileName(path) != "CHANGELOG.md");

    [TestCaseSource(nameof(Commands))]
    public async Task Options_of_a_documented_command_are_options_of_its_verb(string verb, string[] commands)
    {
        var help = await new CliHarness().RunAsync(verb, "--help");
        Assert.That(help.Output, Does.Contain($"Usage: transfer {verb}"), "the verb exists");
        var known = Option().Matches(help.Output).Select(match => match.Value).Concat(Everywhere).ToHashSet();
        var unknown = commands.SelectMany(
            command =>
            Option().Matches(command).Where(match => !known.Contains(match.Value)).Select(match => $"{match.Value} in: {command}"));
        Assert.That(unknown, Is.Empty);
    }

    // A line of a block, up to the remark behind it, or code within a line; "transfer direct 1" begins the labels of batch mode's keys.
    [GeneratedRegex("(?:(?<=^    (?:.*[|&] |[0-9 *]+)?)|(?<=`))transfer (?!direct 1)(?<verb>[a-z]+)(?: (?:(?!   |[`\n]).)*)?(?=   |`|\n)",
        RegexOptions.Multiline)]
    private static partial Regex Command();

    [GeneratedRegex("(?<![a-zA-Z0-9-])--[a-z][a-z-]*")]
    private static partial Regex Option();
}
