using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Makes one folder like another.</summary>
internal sealed class SyncVerb() : Verb("sync", "[OPTIONS] FROM TO", "Make a folder like another one: send new and changed files.")
{
    public override string Details => """
        FROM and TO are folders: URLs, or local paths. Files are sent that TO lacks, or has with another size or
        time. With --delete, files that only TO has are deleted after all were sent, or renamed where a new file
        has the same size, time and content; nothing is deleted if a file failed, or for a source without any file.
        Entries that the options leave out are not deleted, and no entry is replaced by one of another kind. Large
        files continue, with --resume, that were under way when the command was interrupted. Log-ins as in copy.
        --watch goes on as watch does, and with --delete makes deletions too.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "sync --delete site/ ftpes://me@ftp.example.com/www",
        "sync --dry-run --delete ftpes://me@ftp.example.com/www/ backup",
        "sync --exclude .git/ --exclude '*.tmp' src sftp://me@host.example.com/src",
        "sync --watch --delete site ftpes://me@ftp.example.com/www",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Files", options.Sync), ("Following", options.Follow.All), Groups.Filter(options), Groups.Login(options),
        ("Log-in at the source", options.From.All), ("Log-in at the target", options.To.All), Groups.Connection(options),
        Groups.Items(options),
    ];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var follow = invocation.Options.Follow;
        if (invocation.Flag(follow.Watch)) return new SyncRun(invocation, Name, FollowSettings.Read(invocation)).RunAsync(ct);
        if (invocation.Given([follow.Settle, follow.Interval, follow.Trigger]) is { } given)
            throw new UsageException($"{given} says nothing without --watch.");
        return new SyncRun(invocation, Name, watch: null).RunAsync(ct);
    }
}
