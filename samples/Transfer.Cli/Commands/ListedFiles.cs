using System.Runtime.CompilerServices;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>The verbs put, get, copy and rm with the names of a list: files below the source that keep their paths.</summary>
internal sealed class ListedFiles(Invocation invocation, NameList names)
{
    private readonly TransferFilter? _filter = invocation.Transfer.Filter;

    /// <summary>Reads the options; null: there is no list.</summary>
    public static ListedFiles? Of(Invocation invocation)
    {
        if (NameList.Of(invocation) is not { } names) return null;
        if (invocation.Transfer.DryRun) throw new UsageException("--files-from has no dry run: find and ls show what there is.");
        if (invocation.Transfer.Batch == BatchMode.Always) throw new UsageException("--batch on is for folders, and not for --files-from.");
        if (invocation.Transfer.Newest is not null) throw new UsageException("--files-from and --newest contradict each other.");
        return new ListedFiles(invocation, names);
    }

    /// <summary>The step that uploads the files of a local folder.</summary>
    public TransferStep Upload(TransferClient client, string folder, TransferUrl url, Journals journals)
    {
        var options = journals.Files([$"{LocalPath.Full(folder)}\n{names.Source}"], url.Redacted) with { CreateDirectories = true };
        return FileSteps.UploadListed(url.Redacted, client, ReadAsync(), options);

        async IAsyncEnumerable<FileUpload> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
        {
            await foreach (var name in names.ReadAsync(ct))
            {
                var path = Path.Join(folder, name.Replace('/', Path.DirectorySeparatorChar));
                if (_filter is null || LocalPath.Find(path) is not { } entry
                    || _filter.Takes(name, RemoteEntryType.File, entry.Length, entry.Modified))
                {
                    yield return new FileUpload(path, RemotePath.Combine(url.Path, name));
                }
            }
        }
    }

    /// <summary>The step that downloads the files of a remote folder.</summary>
    public TransferStep Download(TransferClient client, TransferUrl url, string folder, Journals journals)
    {
        var options = journals.Files([$"{url.Redacted}\n{names.Source}"], LocalPath.Full(folder)) with { CreateDirectories = true };
        return FileSteps.DownloadListed(url.Redacted, client, ReadAsync(), options, url.Describe);

        async IAsyncEnumerable<FileDownload> ReadAsync([EnumeratorCancellation] CancellationToken ct = default)
        {
            await foreach (var name in TakenAsync(client, url, ct))
                yield return new FileDownload(RemotePath.Combine(url.Path, name), LocalName(folder, name));
        }
    }

    /// <summary>The step that copies the files of a folder to another client's.</summary>
    public TransferStep Copy(TransferClient source, TransferUrl from, TransferClient target, TransferUrl to, int parallel)
    {
        var options = invocation.Transfer.Upload;
        return new TransferStep(from.Redacted, [source, target], IsDirectory: true, async (report, run) =>
            await Parallel.ForEachAsync(TakenAsync(source, from, run.Abort),
                new ParallelOptions { MaxDegreeOfParallelism = parallel, CancellationToken = run.Abort }, async (name, ct) =>
                {
                    var path = RemotePath.Combine(from.Path, name);
                    try
                    {
                        var job = source.StartCopyFile(path, target, RemotePath.Combine(to.Path, name), options, readItems: true,
                            run.Progress, ct);
                        report.Report(await run.FollowFileAsync(job) with { Path = from.Describe(path) });
                    }
                    catch (TransferException e)
                    {
                        report.Add(from.Describe(path), e);
                    }
                }));
    }

    /// <summary>The paths of the files below a folder at a server.</summary>
    public IAsyncEnumerable<string> PathsAsync(TransferClient client, TransferUrl url, CancellationToken ct) =>
        TakenAsync(client, url, ct).Select(name => RemotePath.Combine(url.Path, name));

    // Lengths and times are looked at only where they count, several at once.
    private async IAsyncEnumerable<string> TakenAsync(TransferClient client, TransferUrl url, [EnumeratorCancellation] CancellationToken ct)
    {
        var taken = names.ReadAsync(ct).Where(name => _filter is null || _filter.TakesFile(name));
        if (_filter is null or { MinSize: null, MaxSize: null, NewerThan: null, OlderThan: null })
        {
            await foreach (var name in taken) yield return name;
            yield break;
        }

        await foreach (var some in taken.Chunk(EntryLooks.Together))
        {
            var found = await EntryLooks.FindAsync(client, some.Select(name => RemotePath.Combine(url.Path, name)), ct);
            for (var i = 0; i < some.Length; i++)
                if (found[i] is not { } entry || _filter.Takes(some[i], entry.Type, entry.Length, entry.Modified)) yield return some[i];
        }
    }

    private static string LocalName(string folder, string name) => name.Split('/').Aggregate(folder, RemoteTarget.LocalPath);
}
