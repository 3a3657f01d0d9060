using System.CommandLine;
using System.Globalization;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands.Contents;

/// <summary>Prints the end of a file, and what is appended.</summary>
internal sealed class TailVerb() : Verb("tail", "[-f] [OPTIONS] URL", "Print the last lines of a file, with -f also those to come.")
{
    public override string Details => """
        Reads the end of the file only, where the server reads from offsets. -f looks at the file's length every
        two seconds, and survives lost connections and files that are absent for a while.
        """;

    public override IReadOnlyList<string> Examples =>
        ["tail sftp://me@files.example.com/var/log/app.log", "tail -f -n 100 ftpes://me@ftp.example.com/logs/today.log"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Output", [options.Contents.Lines, options.Contents.Bytes, options.Contents.Follow, options.Contents.Interval]),
        Groups.Login(options), Groups.Connection(options),
    ];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        if (url.NamesDirectory || url.Pattern is not null) throw new UsageException("tail wants one file.");
        var own = invocation.Options.Contents;
        if (invocation.Given([own.Lines]) is not null && invocation.Given([own.Bytes]) is not null)
            throw new UsageException("--lines and --bytes contradict each other.");
        var follows = invocation.Flag(own.Follow);
        var interval = invocation.Value(own.Interval) is { } text ? TransferSettings.ParseSeconds(text, default, own.Interval.Name)
            : TimeSpan.FromSeconds(2);
        if (!follows && invocation.Given([own.Interval]) is not null) throw new UsageException("--interval says nothing without --follow.");
        if (follows && interval == TimeSpan.Zero) throw new UsageException("--interval wants more than 0 seconds.");
        var (lines, bytes) = (Lines(invocation), invocation.Size(own.Bytes));
        return SingleServer.RunAsync(invocation, url, async client =>
        {
            var tail = new FileTail(invocation, client, url);
            await tail.PrintAsync(lines, bytes, ct);
            if (follows) await tail.FollowAsync(interval, ct);
            return ExitCode.Done;
        }, ct);
    }

    private static int Lines(Invocation invocation)
    {
        if (invocation.Value(invocation.Options.Contents.Lines) is not { } text) return 10;
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var lines)
            ? lines : throw new UsageException("--lines wants a number.");
    }
}
