using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Makes steps of the URLs that get was given.</summary>
internal sealed class DownloadPlanner(Invocation invocation, LocalTarget target, TransferSettings transfer, bool globs)
{
    private readonly Journals _journals = new(invocation.Host, invocation.Messages, transfer);
    private readonly List<TransferStep> _steps = [];

    // The sources by their names here, which may be of several folders.
    private readonly Dictionary<string, string> _names =
        new(OperatingSystem.IsLinux() ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);

    // What most likely is a file, of all URLs.
    private readonly List<PlannedDownload> _files = [];

    public async Task<IReadOnlyList<TransferStep>> PlanAsync(IReadOnlyList<(TransferUrl Url, TransferClient Client)> sources,
        CancellationToken ct)
    {
        foreach (var (url, client) in sources)
        {
            if (globs && url.Pattern is { } pattern) await ExpandAsync(url, pattern, client, ct);
            else if (url.NamesDirectory || transfer.Batch == BatchMode.Always) AddDirectory(url, client, url.Path);
            else if (transfer.Filter is null && transfer.Newest is null) AddFile(new(url, client, url.Path, null));
            else await AddLookedAtAsync(url, client, ct);
        }

        if (transfer.Newest is { } count) KeepNewest(count);

        foreach (var ofOne in _files.GroupBy(file => file.Client))
        {
            if (ofOne.Count() == 1 || transfer.DryRun || target.IsOutput)
            {
                _steps.AddRange(ofOne.Select(file => Unknown(file.Url, file.Client, file.Path)));
            }
            else
            {
                Together(ofOne.Key, [.. ofOne.Select(file => (file.Url, file.Path))],
                    sources.Where(source => source.Client == ofOne.Key).Select(source => source.Url.Redacted));
            }
        }

        return _steps;
    }

    private async Task ExpandAsync(TransferUrl url, UrlPattern pattern, TransferClient client, CancellationToken ct)
    {
        var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, pattern, invocation.MaxListing, ct);
        foreach (var entry in entries)
        {
            if (entry.Type != RemoteEntryType.Directory) AddTaken(url, client, entry.Path, entry);
            else if (IsTaken(entry) && transfer.Newest is null) AddDirectory(url, client, entry.Path);
        }

        // What matches is fetched all the same; that there may be more is a failure of its own.
        if (gap is not null) _steps.Add(TransferStep.Failed(url.Redacted, [client], gap));
    }

    // With a filter the kind of entry counts: a file is judged here, a folder's content by the folder's job.
    private async Task AddLookedAtAsync(TransferUrl url, TransferClient client, CancellationToken ct)
    {
        var entry = await client.GetEntryAsync(url.Path, ct);
        if (entry is null) AddFile(new(url, client, url.Path, null));
        else if (entry.Type != RemoteEntryType.Directory) AddTaken(url, client, url.Path, entry);
        else if (transfer.Newest is null) AddDirectory(url, client, url.Path);
        else throw NewestOfFolder(url);
    }

    /// <summary>The refusal of a folder where the newest files are wanted.</summary>
    public static UsageException NewestOfFolder(TransferUrl folder) =>
        new($"--newest is for files and patterns, and {folder.Redacted} is a folder.");

    // A link is fetched as the file to which it leads.
    private void AddTaken(TransferUrl url, TransferClient client, string path, RemoteEntry entry)
    {
        if (!IsTaken(entry)) return;
        if (entry.Type != RemoteEntryType.Other) AddFile(new(url, client, path, entry.Modified));
        else invocation.Messages.Warning($"{url.Describe(path)} is neither a file nor a folder and is left out.");
    }

    private void AddDirectory(TransferUrl url, TransferClient client, string path)
    {
        if (IsApart(url, client, path)) _steps.Add(Directory(url, client, path));
    }

    private void AddFile(PlannedDownload file)
    {
        // Of the newest, names count once these are known.
        if (transfer.Newest is not null || IsApart(file)) _files.Add(file);
    }

    private bool IsApart(PlannedDownload file) => IsApart(file.Url, file.Client, file.Path);

    // Of two sources of one name, the second would replace the first here. One that is named twice is fetched once.
    private bool IsApart(TransferUrl url, TransferClient client, string path)
    {
        if (target.IsOutput) return true;
        var (name, source) = (Name(path), url.Describe(path.TrimEnd('/')));
        if (_names.TryAdd(name, source)) return true;
        if (_names[name] != source) _steps.Add(TransferStep.Failed(source, [client], SameName()));
        return false;
    }

    private bool IsTaken(RemoteEntry entry) =>
        transfer.Filter?.Takes(entry.Name, entry.Type, entry.Length, entry.Modified) != false;

    private void KeepNewest(int count)
    {
        // A source that is named twice is one of them.
        var newest = _files.DistinctBy(file => file.Url.Describe(file.Path)).OrderByDescending(file => file.Modified).Take(count)
            .ToHashSet(ReferenceEqualityComparer.Instance);
        _files.RemoveAll(file => !newest.Contains(file) || !IsApart(file));
    }

    private static TransferException SameName() =>
        new(TransferError.Exists, "Another source has the same name, and both would be one here.");

    // Their job is known by what was asked for, and not by what a pattern stands for today.
    private void Together(TransferClient client, IReadOnlyList<(TransferUrl Url, string Path)> files, IEnumerable<string> asked)
    {
        var downloads = new List<FileDownload>();
        foreach (var (url, path) in files)
        {
            try
            {
                downloads.Add(new FileDownload(path, target.PlanFile(Name(path))));
            }
            catch (TransferException e)
            {
                _steps.Add(TransferStep.Failed(url.Describe(path), [client], e));
            }
        }

        var options = _journals.Files(asked, LocalPath.Full(target.Path)) with { CreateDirectories = true };
        // All of one server, so that any of their URLs gives all their names.
        _steps.Add(FileSteps.Download(client, downloads, options, files[0].Url.Describe, path => Directory(files[0].Url, client, path)));
    }

    private TransferStep Directory(TransferUrl url, TransferClient client, string path) => BatchSteps.Create(
        url.Describe(path), client, url.Describe(path.TrimEnd('/') + "/"),
        run =>
        {
            var local = target.ForDirectory(Name(path), make: !transfer.DryRun);
            var journaled = _journals.Directory(url.Describe(path), LocalPath.Full(local));
            var batch = new BatchOptions { Mode = transfer.Batch, Directory = journaled };
            return client.StartDownloadDirectory(path, local, batch, readItems: true, run.Progress, run.Abort);
        });

    /// <summary>
    /// A file most likely: only when it cannot be read as one is the server asked what it is. That saves a round trip for every file.
    /// </summary>
    private TransferStep Unknown(TransferUrl url, TransferClient client, string path) =>
        new(url.Describe(path), [client], IsDirectory: false, async (report, run) =>
        {
            if (transfer.DryRun)
            {
                var entry = await client.GetEntryAsync(path, run.Abort);
                if (entry is { Type: RemoteEntryType.Directory } && !target.IsOutput)
                {
                    await Directory(url, client, path).RunAsync(report, run);
                }
                else
                {
                    DryFile.Plan(report, url.Describe(path), entry, target.IsOutput ? null : target.Look(Name(path)), transfer.Overwrite);
                }

                return;
            }

            try
            {
                report.Report(await run.FollowFileAsync(Download(url, client, path, run)) with { Path = url.Describe(path) });
            }
            catch (TransferException e)
                when (!target.IsOutput && e.Error is TransferError.NotFound or TransferError.Denied or TransferError.Unsupported)
            {
                if (await client.GetEntryAsync(path, run.Abort) is not { Type: RemoteEntryType.Directory }) throw;
                await Directory(url, client, path).RunAsync(report, run);
            }
        });

    private TransferJob Download(TransferUrl url, TransferClient client, string path, StepRun run)
    {
        if (target.IsOutput)
            return client.StartDownload(path, invocation.Host.Output, transfer.Download, readItems: true, run.Progress, run.Abort);
        var local = target.ForFile(Name(path));
        if (transfer.TemporaryFolder is { } temporary)
            LocalPath.CreateDirectory(Path.GetFullPath(temporary, Path.GetDirectoryName(LocalPath.Full(local))!));
        return client.StartDownloadFile(path, local, _journals.Download(url.Describe(path), LocalPath.Full(local)), readItems: true,
            run.Progress, run.Abort);
    }

    private static string Name(string path) => RemotePath.GetName(path);
}
