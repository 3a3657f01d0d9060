using System.CommandLine;
using Transfer.Cli.Connections;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Changes permissions.</summary>
internal sealed class ChangeModeVerb() : Verb("chmod", "[-R] [OPTIONS] MODE URL...",
    "Change the permissions of files and folders, with -R of their content too.")
{
    public override string Details => """
        MODE is as for chmod(1): 640, or u=rw,go-w, with r w x X s t, u g o and a. *, ?, [...] and {a,b} in
        a URL stand for the matching names. A named link stands for its target; -R leaves links as they
        are. Over FTP the command is SITE CHMOD, which some servers lack. file: URLs are for local files.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "chmod 640 sftp://me@example.com/srv/report.pdf",
        "chmod -R u=rwX,go=rX sftp://me@example.com/www/",
        "chmod go-w 'ftpes://me@ftp.example.com/www/*.html'",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.RecursiveModes]), Groups.Login(options), Groups.Connection(options)];

    // As in chmod -w: a mode may begin with a dash.
    public override bool TakesForArgument(string text) => ModeChange.TryParse(text, out _);

    public override ArgumentSide SideOf(int index, int count) => index == 0 ? ArgumentSide.Word : ArgumentSide.Remote;

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count < 2) throw new UsageException("chmod wants a mode and then a URL.");
        if (!ModeChange.TryParse(invocation.Paths[0], out var change))
            throw new UsageException("chmod wants a mode such as 640 or u=rw,go-w.");
        var urls = invocation.Paths.Skip(1).Select(UrlParser.Parse).ToList();
        var remote = urls.Where(url => !url.IsFile).ToList();
        var recursive = invocation.Flag(invocation.Options.RecursiveModes);
        await using var connector = invocation.CreateConnector(remote);
        var report = new JobReport { Items = invocation.Items, Done = "changed" };
        var login = invocation.Login(invocation.Options.Login);
        foreach (var url in urls) await ChangeAsync(invocation, connector, url, login, change, recursive, report, ct);
        return report.ExitCode;
    }

    private static async Task ChangeAsync(
        Invocation invocation, Connector connector, TransferUrl url, Credentials.LoginArguments login, ModeChange change, bool recursive,
        JobReport report, CancellationToken ct)
    {
        var local = url.IsFile ? new LocalTransferClient(new Uri("file:///"), new LocalTransferOptions { FollowLinks = true }) : null;
        await using var end = local;
        var client = local ?? await connector.OpenAsync(url, login, ambient: true, ct);
        try
        {
            var matches = url.Pattern is { } pattern
                ? await GlobExpansion.ExpandAsync(client, url, pattern, invocation.MaxListing, ct) : null;
            if (matches?.Gap is { } gap) report.Add(invocation.Messages, url.Describe(url.Path), gap);
            foreach (var path in matches?.Entries.Select(entry => entry.Path) ?? [url.Path])
                await ChangeAsync(invocation, client, url, path, change, recursive, report, ct);
        }
        catch (TransferException e)
        {
            report.Add(invocation.Messages, url.Describe(e.RemotePath ?? url.Path), e);
        }
    }

    private static async Task ChangeAsync(
        Invocation invocation, TransferClient client, TransferUrl url, string path, ModeChange change, bool recursive, JobReport report,
        CancellationToken ct)
    {
        try
        {
            await using var job = client.StartChangeMode(path, change, recursive, readItems: true, ct);
            await foreach (var item in job.ReadItemsAsync(CancellationToken.None))
            {
                if (item.Error is { } error) report.Add(invocation.Messages, url.Describe(item.Path), error);
                else report.Report(item with { Path = url.Describe(item.Path) });
            }
            await job.Completion;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            report.Add(invocation.Messages, url.Describe(path), e);
        }
    }
}
