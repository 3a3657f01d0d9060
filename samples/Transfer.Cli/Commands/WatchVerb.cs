using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Follows a folder.</summary>
internal sealed class WatchVerb() : Verb("watch", "[OPTIONS] FROM TO", "Follow a folder: send files as soon as they are complete.")
{
    public override string Details => """
        FROM and TO are folders as for sync: one of them, or both, at a server. At first all files are sent that TO lacks,
        then each new or changed one, when its size and time have stayed the same (--settle), its trigger file is there
        (--trigger), and no program has it open for writing, where the system tells: on Linux for files of one's own, on
        Windows always. Leave unfinished files out by their names: --ignore '*.part'. With --remove-source or
        --move-source-to FROM is an outbox. Changes here are reported by the system; at a server folders are listed at each
        --interval. Lost connections, and restarts, only delay. Ctrl-C and SIGTERM end with 0, or with 1 where files failed.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "watch outbox sftp://me@files.example.com/in --move-source-to sent",
        "watch --interval 30 --remove-source ftpes://me@ftp.example.com/out/ incoming",
        "watch --trigger .done --ignore '*.part' outbox ftpes://me@ftp.example.com/in",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Following", options.Follow.Settings), ("Files", options.Watched), Groups.Filter(options), Groups.Login(options),
        ("Log-in at the source", options.From.All), ("Log-in at the target", options.To.All), Groups.Connection(options),
        Groups.Items(options),
    ];

    public override ArgumentSide SideOf(int index, int count) => ArgumentSide.Either;

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct) =>
        new SyncRun(invocation, Name, FollowSettings.Read(invocation)).RunAsync(ct);
}
