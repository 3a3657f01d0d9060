using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of the verbs that show entries: ls, find, tree, du and df.</summary>
internal sealed class LookOptions
{
    public Option<bool> Long { get; } = CliOptions.Flag("--long", "Show type, permissions, owner, size and time too.", "-l");

    public Option<bool> Recursive { get; } = CliOptions.Flag("--recursive", "List folders with their content.", "-R");

    public Option<bool> ByTime { get; } = CliOptions.Flag("--by-time", "The newest first.", "-t");

    public Option<bool> BySize { get; } = CliOptions.Flag("--by-size", "The largest first.", "-S");

    public Option<bool> Reverse { get; } = CliOptions.Flag("--reverse", "The reverse order.", "-r");

    public Option<bool> Human { get; } = CliOptions.Flag("--human", "Print sizes with units: 1.21 MB.", "-h");

    public Option<bool> All { get; } =
        CliOptions.Flag("--all", "Show names that begin with a dot: they are shown in any case, where the server lists them.", "-a");

    public Option<bool> Itself { get; } = CliOptions.Flag("--directory", "List the folder itself, not its content.", "-d");

    public Option<bool> Utc { get; } = CliOptions.Flag("--utc", "Print times in UTC. Default: local time.");

    public Option<string[]> Name { get; } =
        CliOptions.Texts("--name", "GLOB", "Only names that match one of these: *, ? and [...]. May be repeated.");

    public Option<string> Type { get; } = CliOptions.Text("--type", "file|directory|link|other", "Only entries of this kind; f, d, l too.");

    public Option<string> MaxDepth { get; } =
        CliOptions.Text("--max-depth", "N", "Show no more than N levels: 1 is the folder's own entries.");

    public Option<bool> Zero { get; } =
        CliOptions.Flag("--print0", "End names with a NUL instead of a line's end, as xargs -0 wants them.", "-0");

    public Option<bool> FoldersOnly { get; } = CliOptions.Flag("--folders", "Show folders only.", "-d");

    public Option<bool> SumOnly { get; } = CliOptions.Flag("--summarize", "Print the sum of the whole folder only.", "-s");
}
