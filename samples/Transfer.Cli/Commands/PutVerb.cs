using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Uploads.</summary>
internal sealed class PutVerb() : Verb("put", "[OPTIONS] LOCAL... URL", "Upload files, folders or standard input.")
{
    public override string Details => """
        A file goes to the URL, and keeps its name if the URL ends in /. Of a folder the contents go
        into the folder at the URL, which is created. Several sources need a URL that ends in /, and keep
        their names there. - is standard input.
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "put report.pdf ftpes://me@ftp.example.com/reports/",
        "put site/ ftpes://me@ftp.example.com/www --overwrite newer",
        "put a.csv b.csv ftp://localhost:2121/in/ --json",
        "dump | transfer put - ftpes://me@ftp.example.com/backup/today.sql",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Transfer(options), Groups.Names(options), Groups.Filter(options), Groups.Batch(options), Groups.Login(options),
        Groups.Connection(options),
        Groups.Items(options)];

    public override ArgumentSide SideOf(int index, int count) => index == count - 1 ? ArgumentSide.Remote : ArgumentSide.Local;

    public override IReadOnlyList<string> UsualArguments(int count) => count == 1 ? ["."] : [];

    public override async Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Count < 2) throw new UsageException("put wants something local and then a URL.");
        var url = Invocation.RemoteUrl(invocation.Paths[^1]);
        var sources = invocation.Paths.Take(invocation.Paths.Count - 1).ToList();
        if (sources.Find(Scheme.IsUrl) is { } remote)
        {
            throw new UsageException(
                $"put sends what is local, and {UrlRedaction.Redact(remote)} is a URL; get fetches it, copy copies it.");
        }

        foreach (var source in sources) ScpPath.Refuse(source);
        return await RunAsync(invocation, sources, url, invocation.Login(invocation.Options.Login), ct);
    }

    /// <summary>Uploads; copy with a local source ends here too.</summary>
    public static async Task<int> RunAsync(
        Invocation invocation, IReadOnlyList<string> sources, TransferUrl url, Credentials.LoginArguments login, CancellationToken ct)
    {
        var transfer = invocation.Transfer;
        if (sources.Contains("-"))
        {
            if (sources.Count > 1) throw new UsageException("- stands for standard input and goes alone.");
            if (url.NamesDirectory) throw new UsageException("- has no name to keep: the URL must not end in /.");
            if (transfer.DisposesSource) throw new UsageException("--remove-source and --move-source-to are about files, and - is none.");
            if (transfer.Overwrite == OverwriteMode.Newer)
                throw new UsageException("--overwrite newer needs a source with a date, and standard input has none.");
        }

        if (ListedFiles.Of(invocation) is { } list) return await RunAsync(invocation, list, sources, url, login, ct);
        BatchSteps.Check(transfer, [url]);
        if (sources.Contains("-") && (transfer.Filter is not null || transfer.Newest is not null))
            throw new UsageException("Filters are about files with names, and standard input has none.");
        if (sources.Count > 1 && !url.NamesDirectory) throw new UsageException("Several sources need a URL that ends in /.");
        var local = Taken(sources.Select(source => Describe(source, url, sources.Count > 1)), transfer);

        if (transfer.Batch == BatchMode.Always && local.Find(source => !source.IsDirectory && !source.IsMissing) is { } file)
            throw new UsageException($"--batch on is for folders, and {file.Path} is none.");
        await using var connector = invocation.CreateConnector(url);
        if (local.TrueForAll(l => l.IsMissing)) return await RunAsync(invocation, connector.Parallel, [.. local.Select(Missing)], ct);
        var client = await connector.OpenAsync(url, login, ambient: true, ct);
        var journals = new Journals(invocation.Host, invocation.Messages, transfer);
        return await RunAsync(invocation, connector.Parallel, Steps(invocation, client, url, local, transfer, journals), ct);
    }

    private static async Task<int> RunAsync(
        Invocation invocation, ListedFiles list, IReadOnlyList<string> sources, TransferUrl url, Credentials.LoginArguments login,
        CancellationToken ct)
    {
        if (sources is not [var folder] || folder == "-" || !LocalPath.IsDirectory(folder))
            throw new UsageException("--files-from wants one source, the folder that the names are relative to.");
        await using var connector = invocation.CreateConnector(url);
        var client = await connector.OpenAsync(url, login, ambient: true, ct);
        var journals = new Journals(invocation.Host, invocation.Messages, invocation.Transfer);
        return await RunAsync(invocation, connector.Parallel, [list.Upload(client, folder, url, journals)], ct);
    }

    // Folders are filtered by their jobs.
    private static List<LocalSource> Taken(IEnumerable<LocalSource> sources, TransferSettings transfer)
    {
        var all = sources.ToList();
        if (transfer.Newest is not null && all.Find(source => source.IsDirectory) is { } folder)
            throw new UsageException($"--newest is for files, and {folder.Path} is a folder.");
        if (transfer.Filter is { } filter)
            all = [.. all.Where(source => source.IsDirectory || source.IsMissing || Takes(filter, source.Path))];
        return transfer.Newest is { } count
            ? [.. all.OrderByDescending(source => LocalPath.Find(source.Path)?.Modified).Take(count)] : all;

        static bool Takes(TransferFilter filter, string path) => LocalPath.Find(path) is not { } entry
            || filter.Takes(RemoteTarget.NameOf(path), RemoteEntryType.File, entry.Length, entry.Modified);
    }

    private static async Task<int> RunAsync(Invocation invocation, int parallel, IReadOnlyList<TransferStep> steps, CancellationToken ct)
    {
        using var runner = new TransferRunner(invocation, parallel, grace: invocation.Transfer.Grace);
        return await runner.RunAsync("Uploading", _ => Task.FromResult(steps), ct);
    }

    private static LocalSource Describe(string source, TransferUrl url, bool several)
    {
        if (source == "-") return new LocalSource(source, url.Path, IsDirectory: false, IsMissing: false);
        UsageException.ThrowIfEmpty(source);
        if (LocalPath.IsDirectory(source))
        {
            var target = several ? RemotePath.Combine(url.Path, RemoteTarget.NameOf(source)) : url.Path;
            return new LocalSource(source, target, IsDirectory: true, IsMissing: false);
        }

        var path = url.NamesDirectory ? RemotePath.Combine(url.Path, RemoteTarget.NameOf(source)) : url.Path;
        return new LocalSource(source, path, IsDirectory: false, IsMissing: LocalPath.Find(source) is null);
    }

    private static TransferStep Missing(LocalSource source) =>
        TransferStep.Failed(source.Path, [], new TransferException(TransferError.NotFound, "There is no such file or folder here."));

    // Of two sources with one target, the second would replace the first. One that is named twice goes once.
    private static List<LocalSource> Apart(IReadOnlyList<LocalSource> sources, out List<TransferStep> refused)
    {
        var (taken, kept) = (new Dictionary<string, string>(StringComparer.Ordinal), new List<LocalSource>());
        refused = [];
        foreach (var source in sources)
        {
            var full = source.Path == "-" ? source.Path : LocalPath.Full(source.Path);
            if (taken.TryAdd(source.Target, full))
            {
                kept.Add(source);
            }
            else if (taken[source.Target] != full)
            {
                refused.Add(TransferStep.Failed(source.Path, [], new TransferException(TransferError.Exists,
                    $"Another source has the same name, and both would be {source.Target} at the server.")));
            }
        }
        return kept;
    }

    // Several files are one job.
    private static List<TransferStep> Steps(
        Invocation invocation, TransferClient client, TransferUrl url, IReadOnlyList<LocalSource> sources, TransferSettings transfer,
        Journals journals)
    {
        sources = Apart(sources, out var refused);
        var files = sources.Where(source => !source.IsDirectory && !source.IsMissing).ToList();
        var together = files.Count > 1 && !transfer.DryRun;
        var steps = refused;
        steps.AddRange(sources.Where(source => !together || source.IsDirectory || source.IsMissing)
            .Select(source => source.IsMissing ? Missing(source) : Step(invocation, client, url, source, transfer, journals)));
        if (!together) return steps;
        var options = journals.Files(files.Select(file => LocalPath.Full(file.Path)), url.Redacted) with { CreateDirectories = true };
        return [FileSteps.Upload(client, [.. files.Select(file => new FileUpload(file.Path, file.Target))], options), .. steps];
    }

    private static TransferStep Step(
        Invocation invocation, TransferClient client, TransferUrl url, LocalSource source, TransferSettings transfer, Journals journals)
    {
        if (transfer.DryRun && !source.IsDirectory)
        {
            var described = source.Path == "-" ? new RemoteEntry { Path = "-", Type = RemoteEntryType.File } : LocalPath.Find(source.Path);
            return new TransferStep(source.Path, [client], IsDirectory: false, async (report, run) =>
                DryFile.Plan(report, source.Path, described, await DryFile.LookAsync(client, source.Target, run.Abort),
                    transfer.Overwrite));
        }

        if (source.Path == "-")
        {
            return TransferStep.File(
                "standard input", [client],
                run => client.StartUpload(invocation.Host.Input, source.Target, transfer.Upload, readItems: true, run.Progress, run.Abort));
        }

        var (full, target) = (LocalPath.Full(source.Path), url.Describe(source.Target));
        return source.IsDirectory
            ? BatchSteps.Create(
                source.Path, client, TransferStep.Prefix(source.Path),
                run =>
                {
                    var batch = new BatchOptions { Mode = transfer.Batch, Directory = journals.Directory(full, target) };
                    return client.StartUploadDirectory(source.Path, source.Target, batch, readItems: true, run.Progress, run.Abort);
                })
            : TransferStep.File(source.Path, [client],
                run => client.StartUploadFile(source.Path, source.Target, journals.Upload(full, target), readItems: true, run.Progress,
                    run.Abort));
    }

    private sealed record LocalSource(string Path, string Target, bool IsDirectory, bool IsMissing);
}
