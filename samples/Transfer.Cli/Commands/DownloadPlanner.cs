using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Makes steps of the URLs that get was given.</summary>
internal sealed class DownloadPlanner(Invocation invocation, LocalTarget target, TransferSettings transfer, bool globs, CancellationToken interrupted)
{
    private readonly Journals _journals = new(invocation.Host, invocation.Messages, transfer, interrupted);

    public async Task<IReadOnlyList<TransferStep>> PlanAsync(TransferUrl url, TransferClient client, CancellationToken ct)
    {
        if (globs && url.Glob is { } glob) return await ExpandAsync(url, glob, client, ct);
        return [url.NamesDirectory || transfer.Batch == BatchMode.Always ? Directory(url, client, url.Path) : Unknown(url, client, url.Path)];
    }

    private async Task<IReadOnlyList<TransferStep>> ExpandAsync(TransferUrl url, Glob glob, TransferClient client, CancellationToken ct)
    {
        var steps = new List<TransferStep>();
        var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, glob, invocation.MaxListing, ct);
        foreach (var entry in entries)
        {
            if (entry.Type == RemoteEntryType.Directory) steps.Add(Directory(url, client, entry.Path));
            else if (entry.Type != RemoteEntryType.Other) steps.Add(Unknown(url, client, entry.Path));
            else invocation.Messages.Warning($"{url.Describe(entry.Path)} is neither a file nor a folder and is left out.");
        }

        // What matches is fetched all the same; that there may be more is a failure of its own.
        if (gap is not null) steps.Add(new TransferStep(url.Redacted, [client], IsDirectory: false, (_, _, _) => Task.FromException(gap)));
        return steps;
    }

    private TransferStep Directory(TransferUrl url, TransferClient client, string path) => BatchSteps.Create(
        url.Describe(path), client, url.Describe(path.TrimEnd('/') + "/"),
        (items, progress, ct) =>
        {
            var local = target.ForDirectory(Name(path), make: !transfer.DryRun);
            var journaled = _journals.Directory(url.Describe(path), LocalPath.Full(local)) with { Items = items };
            var batch = new BatchOptions { Mode = transfer.Batch, Directory = journaled };
            return client.DownloadDirectoryAsync(path, local, batch, progress, ct);
        });

    /// <summary>A file most likely: only when it cannot be read as one is the server asked what it is. That saves a round trip for every file.</summary>
    private TransferStep Unknown(TransferUrl url, TransferClient client, string path) =>
        new(url.Describe(path), [client], IsDirectory: false, async (report, progress, ct) =>
        {
            if (transfer.DryRun)
            {
                var entry = await client.GetEntryAsync(path, ct);
                if (entry is { Type: RemoteEntryType.Directory } && !target.IsOutput) await Directory(url, client, path).RunAsync(report, progress, ct);
                else DryFile.Plan(report, url.Describe(path), entry, target.IsOutput ? null : LocalPath.Find(target.PlanFile(Name(path))), transfer.Overwrite);
                return;
            }

            try
            {
                report.Add(await DownloadAsync(url, client, path, progress, ct));
            }
            catch (TransferException e) when (!target.IsOutput && e.Error is TransferError.NotFound or TransferError.Denied or TransferError.Unsupported)
            {
                if (await client.GetEntryAsync(path, ct) is not { Type: RemoteEntryType.Directory }) throw;
                await Directory(url, client, path).RunAsync(report, progress, ct);
            }
        });

    private Task<TransferResult> DownloadAsync(TransferUrl url, TransferClient client, string path, IProgress<TransferProgress> progress, CancellationToken ct)
    {
        if (target.IsOutput) return client.DownloadAsync(path, invocation.Host.Output, transfer.Download, progress, ct);
        var local = target.ForFile(Name(path));
        if (transfer.TemporaryFolder is { } temporary) LocalPath.CreateDirectory(Path.GetFullPath(temporary, Path.GetDirectoryName(LocalPath.Full(local))!));
        return client.DownloadFileAsync(path, local, _journals.Download(url.Describe(path), LocalPath.Full(local)), progress, ct);
    }

    private static string Name(string path) => RemotePath.GetName(path);
}
