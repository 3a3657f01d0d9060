using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>Makes the steps of files that are named one by one: those of one server are one job, as a folder is.</summary>
internal static class FileSteps
{
    // More looks at once gain nothing: they wait for the same sessions.
    private const int LookedAt = 32;

    /// <summary>Uploads local files, which messages call what they are called here.</summary>
    /// <param name="client">The server's client.</param>
    /// <param name="files">The files.</param>
    /// <param name="options">How.</param>
    public static TransferStep Upload(TransferClient client, IReadOnlyList<FileUpload> files, FilesOptions options) =>
        new(client.Endpoint.ToString(), [client], IsDirectory: false, (report, run) => RunAsync(
            report, run, client.StartUploadFiles(files.ToAsyncEnumerable(), options, readItems: true, run.Progress, run.Abort),
            new NamedItems(report.ForFolder(string.Empty, string.Empty), static path => path)))
        {
            Files = files.Count,
        };

    /// <summary>
    /// Downloads files, some of which may turn out to be folders: only of what can't be read as a file the server is asked what it is.
    /// </summary>
    /// <param name="client">The server's client.</param>
    /// <param name="files">The files.</param>
    /// <param name="options">How.</param>
    /// <param name="describe">Gives what messages call a remote path.</param>
    /// <param name="directory">Makes the step of a folder.</param>
    public static TransferStep Download(
        TransferClient client, IReadOnlyList<FileDownload> files, FilesOptions options, Func<string, string> describe,
        Func<string, TransferStep> directory) =>
        new(client.Endpoint.ToString(), [client], IsDirectory: false, async (report, run) =>
        {
            var items = new NamedItems(report.ForFolder(string.Empty, string.Empty), describe,
                static error => error.Error is TransferError.NotFound or TransferError.Denied or TransferError.Unsupported);
            await RunAsync(report, run,
                client.StartDownloadFiles(files.ToAsyncEnumerable(), options, readItems: true, run.Progress, run.Abort), items);
            var folders = await FoldersAsync(client, items.HeldBack, run.Abort);
            foreach (var item in items.HeldBack)
            {
                if (folders.Contains(item.Path)) await directory(item.Path).RunAsync(report, run);
                else report.Add(describe(item.Path), item.Error!);
            }
        })
        {
            Files = files.Count,
        };

    /// <summary>Uploads files as a list names them.</summary>
    public static TransferStep UploadListed(
        string name, TransferClient client, IAsyncEnumerable<FileUpload> files, FilesOptions options) =>
        new(name, [client], IsDirectory: true, (report, run) => RunAsync(
            report, run, client.StartUploadFiles(files, options, readItems: true, run.Progress, run.Abort),
            new NamedItems(report.ForFolder(string.Empty, string.Empty), static path => path)));

    /// <summary>Downloads files as a list names them.</summary>
    public static TransferStep DownloadListed(
        string name, TransferClient client, IAsyncEnumerable<FileDownload> files, FilesOptions options, Func<string, string> describe) =>
        new(name, [client], IsDirectory: true, (report, run) => RunAsync(
            report, run, client.StartDownloadFiles(files, options, readItems: true, run.Progress, run.Abort),
            new NamedItems(report.ForFolder(string.Empty, string.Empty), describe)));

    private static async Task RunAsync(JobReport report, StepRun run, TransferJob job, NamedItems items)
    {
        JobResult? result = null;
        try
        {
            result = await run.FollowAsync(job, items.Take);
        }
        finally
        {
            // Interrupted, what was held back is no more than it was told to be.
            if (result is null) items.LetGo();
            report.Add(items.Report, result is null ? null : items.Of(result));
        }
    }

    private static async Task<HashSet<string>> FoldersAsync(TransferClient client, IReadOnlyList<ItemResult> items, CancellationToken ct)
    {
        var folders = new HashSet<string>(StringComparer.Ordinal);
        await Parallel.ForEachAsync(items.Select(item => item.Path).Distinct(),
            new ParallelOptions { MaxDegreeOfParallelism = LookedAt, CancellationToken = ct }, async (path, token) =>
        {
            try
            {
                if (await client.GetEntryAsync(path, token) is not { Type: RemoteEntryType.Directory }) return;
                lock (folders) folders.Add(path);
            }
            catch (TransferException)
            {
                // It stays what it was taken for, and its error is that of the download.
            }
        });
        return folders;
    }
}
