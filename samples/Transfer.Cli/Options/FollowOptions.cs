using System.CommandLine;

namespace Transfer.Cli.Options;

/// <summary>The options of a folder that is followed.</summary>
internal sealed class FollowOptions
{
    public Option<bool> Watch { get; } = CliOptions.Flag("--watch", "Go on with what is new or changed at FROM, until interrupted.");

    public Option<string> Settle { get; } = CliOptions.Text("--settle", "S",
        "Seconds for which a file's size and time must stay the same before the file is sent. Default: 5.");

    public Option<string> Interval { get; } = CliOptions.Text("--interval", "S",
        "Seconds between looks. Default: 10, and 60 for a folder here, whose changes the system reports.");

    public Option<string> Trigger { get; } = CliOptions.Text("--trigger", "ENDING",
        "Send a file when a file with its name and this ending is beside it: a.csv with a.csv.done for .done. Those are not sent, and "
        + "deleted behind a file that is removed or moved.");

    /// <summary>For sync.</summary>
    public IEnumerable<Option> All => [Watch, .. Settings];

    /// <summary>For watch.</summary>
    public IEnumerable<Option> Settings => [Settle, Interval, Trigger];
}
