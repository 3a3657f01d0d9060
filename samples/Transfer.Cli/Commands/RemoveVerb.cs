using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Deletes.</summary>
internal sealed class RemoveVerb() : Verb("rm", "[-r] [OPTIONS] URL...",
    "Delete files, and with -r folders and their content.")
{
    public override string Details => """
        *, ?, [...] and {a,b} in a URL stand for the matching names; an empty folder, and one with -r,
        is deleted too. Links are deleted, not followed. An empty path, /, ~, . and .. are refused.
        """;

    public override IReadOnlyList<string> Examples =>
        ["rm ftpes://me@ftp.example.com/www/old.html", "rm 'ftpes://me@ftp.example.com/logs/*.gz'",
        "rm -r ftpes://me@ftp.example.com/www/2019"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.Recursive, options.FilesFrom, options.FilesFrom0]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (ListedFiles.Of(invocation) is { } list) return DeleteListedAsync(invocation, invocation.SingleUrl(), list, ct);
        var urls = SeveralUrls.Read(invocation);
        foreach (var url in urls)
        {
            if (IsFolderItself(RemotePath.GetName(url.Path)) || url.Path.TrimEnd('/') == RemotePath.Home) throw Refused();
        }

        // The line of a script: the folder that it is in is named by now.
        if (invocation.Typed.Any(word => IsFolderItself(RemotePath.GetName(word.TrimStart(':').TrimEnd('/'))))) throw Refused();

        var recursive = invocation.Flag(invocation.Options.Recursive);
        return SeveralUrls.RunAsync(invocation, urls, async (client, url) =>
        {
            if (url.Pattern is { } pattern)
            {
                return await DeleteAllAsync(invocation, client, url,
                    await GlobExpansion.ExpandAsync(client, url, pattern, invocation.MaxListing, ct), recursive, ct);
            }

            var report = new JobReport { Items = invocation.Items };
            return await DeleteAsync(invocation, client, url, url.Path, recursive, report, ct)
                ? report.ExitCode : SingleServer.Missing(invocation.Messages, url);
        }, ct);
    }

    private static bool IsFolderItself(string name) => name is "" or "." or "..";

    private static UsageException Refused() => new("rm does not delete the root, ~, . or ..");

    private static Task<int> DeleteListedAsync(Invocation invocation, TransferUrl url, ListedFiles list, CancellationToken ct)
    {
        if (invocation.Flag(invocation.Options.Recursive))
            throw new UsageException("-r and --files-from contradict each other: a list names files.");
        if (url.Pattern is not null)
            throw new UsageException("--files-from wants the folder that the names are relative to, and no pattern.");
        return SingleServer.RunAsync(invocation, url, async client =>
        {
            var report = new JobReport { Items = invocation.Items };
            await DeleteFilesAsync(invocation, client, url, list.PathsAsync(client, url, ct), mayBeGone: false, report, ct);
            return report.ExitCode;
        }, ct);
    }

    private static async Task<int> DeleteAllAsync(
        Invocation invocation, TransferClient client, TransferUrl url, GlobMatches matches, bool recursive, CancellationToken ct)
    {
        if (matches.Entries.Any(entry => IsFolderItself(entry.Name))) throw Refused();
        var report = new JobReport { Items = invocation.Items };
        var files = matches.Entries.Where(entry => entry.Type != RemoteEntryType.Directory).Select(entry => entry.Path);
        await DeleteFilesAsync(invocation, client, url, files.ToAsyncEnumerable(), mayBeGone: true, report, ct);
        foreach (var entry in matches.Entries.Where(entry => entry.Type == RemoteEntryType.Directory))
        {
            await DeleteAsync(invocation, client, url, entry.Path, recursive, report, ct);
        }

        if (matches.Gap is { } gap) report.Add(invocation.Messages, url.Redacted, gap);
        return report.ExitCode;
    }

    private static async Task DeleteFilesAsync(
        Invocation invocation, TransferClient client, TransferUrl url, IAsyncEnumerable<string> paths, bool mayBeGone, JobReport report,
        CancellationToken ct)
    {
        await using var job = client.StartDeleteFiles(paths, readItems: true, ct);
        await foreach (var item in job.ReadItemsAsync(CancellationToken.None))
        {
            var path = url.Describe(item.Path);
            // A match of a pattern that is gone by now is what was asked for. A name that was given is missing.
            if (item.Error is null || (mayBeGone && item.Error.Error == TransferError.NotFound))
                report.Report(item with { Path = path, Error = null, Result = new TransferResult() });
            else report.Add(invocation.Messages, path, item.Error);
        }

        await job.Completion;
    }

    // Every entry that could not be deleted is named; of a large folder the progress shows the entries that are gone.
    private static async Task<bool> DeleteAsync(
        Invocation invocation, TransferClient client, TransferUrl url, string path, bool recursive, JobReport report, CancellationToken ct)
    {
        var sum = new ProgressSum();
        using var part = sum.Begin();
        await using var display = new LiveProgress(invocation.Host, invocation.Messages, "Deleting", sum);
        var items = new Items(invocation.Messages, url, report, part);
        try
        {
            await using var job = client.StartDelete(path, recursive, readItems: true, ct);
            await foreach (var item in job.ReadItemsAsync(CancellationToken.None)) items.Report(item);
            return await job.Completion is { Deleted: > 0 } or { Failed: > 0 };
        }
        catch (TransferException e) when (e is not TransferConnectionException && url.Pattern is not null)
        {
            items.Fail(path, e);
            return true;
        }
    }

    /// <summary>Names the entries that stay, and counts the others.</summary>
    private sealed class Items(Messages messages, TransferUrl url, JobReport report, ProgressSum.Part progress)
    {
        private long _deleted;

        public void Report(ItemResult value)
        {
            if (value.Error is { } error)
            {
                Fail(value.Path, error);
                return;
            }
            progress.Report(new TransferProgress { Files = ++_deleted });
            report.Report(value with { Path = url.Describe(value.Path) });
        }

        public void Fail(string path, TransferException error) => report.Add(messages, url.Describe(path), error);
    }
}
