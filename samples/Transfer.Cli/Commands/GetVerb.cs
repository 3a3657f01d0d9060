using System.CommandLine;
using Transfer.Cli.Credentials;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Downloads.</summary>
internal sealed class GetVerb() : Verb("get", "[OPTIONS] URL... LOCAL", "Download files or folders, or one file to standard output.")
{
    public override string Details => """
        A file goes to LOCAL, or keeps its name where LOCAL is a folder or ends in /. Of a folder (a URL
        that ends in /) the contents go into the folder LOCAL, which is created. Several URLs, and *, ?, [...]
        and {a,b} in a URL, need a folder and keep their names there. - is standard output.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "get ftpes://me@ftp.example.com/reports/may.pdf .",
        "get ftpes://me@ftp.example.com/www/ site",
        "get 'ftp://ftp.example.com/pub/*/*.{iso,img}' images/",
        "get --newest 1 'sftp://me@files.example.com/backup/*.tar' .",
        "get ftpes://me@ftp.example.com/backup/today.sql - | restore",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Transfer(options), Groups.Names(options), Groups.Filter(options), Groups.Batch(options), Groups.Login(options),
        Groups.Connection(options),
        Groups.Items(options)];

    public override ArgumentSide SideOf(int index, int count) => index == count - 1 ? ArgumentSide.Local : ArgumentSide.Remote;

    public override IReadOnlyList<string> UsualArguments(int count) => count == 1 ? ["."] : [];

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count < 2) throw new UsageException("get wants a URL and then something local.");
        var local = invocation.Paths[^1];
        if (Scheme.IsUrl(local))
        {
            throw new UsageException(
                $"get writes to something local, and {UrlRedaction.Redact(local)} is a URL; copy copies between servers.");
        }

        UsageException.ThrowIfEmpty(local);
        var urls = invocation.Paths.Take(invocation.Paths.Count - 1).Select(Invocation.RemoteUrl).ToList();
        return await RunAsync(invocation, urls, local, invocation.Login(invocation.Options.Login), ct);
    }

    /// <summary>Downloads; copy with a local target ends here too.</summary>
    public static async Task<int> RunAsync(
        Invocation invocation, IReadOnlyList<TransferUrl> urls, string local, LoginArguments login, CancellationToken ct, bool globs = true)
    {
        var oneServer = urls.All(u => u.IsSameServer(urls[0]));
        if (!oneServer && login.Given.Count > 0)
            throw new UsageException($"{login.Given[0]} would go to more than one server; write the users into the URLs, or use .netrc.");

        if (ListedFiles.Of(invocation) is { } list) return await RunAsync(invocation, list, urls, local, login, ct);
        var target = new LocalTarget(local, urls.Count > 1 || (globs && urls.Any(u => u.Pattern is not null)));
        var transfer = invocation.Transfer;
        if (target.IsOutput)
        {
            if (invocation.Json) throw new UsageException("--json and - both want standard output.");
            if (transfer.OverwriteGiven || transfer.PublishGiven || transfer.FlushToDisk || transfer.TemporaryFolder is not null
                || transfer.BackupFolder is not null || transfer.DisposesSource)
            {
                throw new UsageException(
                    "--remove-source, --move-source-to, --overwrite, --publish, --temp-dir, --backup-dir and --fsync are about files, and "
                    + "- is none.");
            }

            if (urls.Any(u => u.NamesDirectory || u.Pattern is not null))
                throw new UsageException("- takes single files, no folders and no patterns.");
        }

        if (transfer.Newest is not null && urls.FirstOrDefault(u => u.NamesDirectory && u.Pattern is null) is { } folder)
            throw DownloadPlanner.NewestOfFolder(folder);
        BatchSteps.Check(transfer, urls);
        if (transfer.Batch == BatchMode.Always && target.IsOutput)
            throw new UsageException("--batch on is for folders, and - takes single files.");
        if (transfer is { Batch: BatchMode.Always, Links: LinkHandling.Follow })
            throw new UsageException("--batch on and --links follow contradict each other: a server's links are not followed in a batch.");
        await using var connector = invocation.CreateConnector(urls);
        var sources = new List<(TransferUrl Url, TransferClient Client)>();
        foreach (var url in urls) sources.Add((url, await connector.OpenAsync(url, login, ambient: oneServer, ct)));
        var planner = new DownloadPlanner(invocation, target, transfer, globs);
        using var runner = new TransferRunner(invocation, target.IsOutput ? 1 : connector.Parallel, grace: transfer.Grace);
        return await runner.RunAsync(
            "Downloading",
            stop => planner.PlanAsync(sources, stop),
            ct);
    }

    private static async Task<int> RunAsync(
        Invocation invocation, ListedFiles list, IReadOnlyList<TransferUrl> urls, string local, LoginArguments login, CancellationToken ct)
    {
        if (urls is not [{ Pattern: null } url] || local == "-")
            throw new UsageException("--files-from wants one URL, the folder that the names are relative to, and a folder here.");
        if (LocalPath.Find(local) is { Type: not RemoteEntryType.Directory } && !LocalPath.IsDirectory(local))
            throw new UsageException($"--files-from wants a folder, and {local} is a file.");
        await using var connector = invocation.CreateConnector(url);
        var client = await connector.OpenAsync(url, login, ambient: true, ct);
        var step = list.Download(client, url, local, new Journals(invocation.Host, invocation.Messages, invocation.Transfer));
        using var runner = new TransferRunner(invocation, connector.Parallel, grace: invocation.Transfer.Grace);
        return await runner.RunAsync("Downloading", _ => Task.FromResult<IReadOnlyList<TransferStep>>([step]), ct);
    }
}
