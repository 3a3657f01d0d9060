using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Deletes.</summary>
internal sealed class RemoveVerb() : Verb("rm", "[-r] [OPTIONS] URL", "Delete a file, or with -r a folder and its content.")
{
    public override string Details => """
        *, ? and [...] in the URL's last part stand for the matching names; an empty folder, and one with -r,
        is deleted too. Links are deleted, not followed. The root and the log-in folder are never deleted.
        """;

    public override IReadOnlyList<string> Examples =>
        ["rm ftpes://me@ftp.example.com/www/old.html", "rm 'ftpes://me@ftp.example.com/logs/*.gz'",
        "rm -r ftpes://me@ftp.example.com/www/2019"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.Recursive]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        var name = RemotePath.GetName(url.Path);
        if (name is "" or "." or ".." || url.Path.TrimEnd('/') == RemotePath.Home)
            throw new UsageException("rm does not delete the root, the log-in folder, . or ..");
        var recursive = invocation.Flag(invocation.Options.Recursive);
        return SingleServer.RunAsync(
            invocation,
            url,
            async client =>
            {
                if (url.Glob is { } glob)
                {
                    return await DeleteAllAsync(invocation, client, url,
                        await GlobExpansion.ExpandAsync(client, url, glob, invocation.MaxListing, ct), recursive, ct);
                }

                return await client.DeleteAsync(url.Path, recursive, ct) ? ExitCode.Done : SingleServer.Missing(invocation.Messages, url);
            },
            ct);
    }

    private static async Task<int> DeleteAllAsync(
        Invocation invocation, TransferClient client, TransferUrl url, GlobMatches matches, bool recursive, CancellationToken ct)
    {
        var report = new JobReport();
        var files = matches.Entries.Where(entry => entry.Type != RemoteEntryType.Directory).Select(entry => entry.Path);
        await using (var job = client.StartDeleteFiles(files.ToAsyncEnumerable(), readItems: true, ct))
        {
            await foreach (var item in job.ReadItemsAsync(CancellationToken.None))
            {
                // One that is gone by now is what was asked for.
                if (item.Error is null or { Error: TransferError.NotFound })
                {
                    report.Add(new TransferResult());
                    continue;
                }

                invocation.Messages.Error($"{url.Describe(item.Path)}: {item.Error.Message}");
                report.Add(item.Path, item.Error);
            }

            await job.Completion;
        }

        foreach (var entry in matches.Entries.Where(entry => entry.Type == RemoteEntryType.Directory))
        {
            try
            {
                await client.DeleteAsync(entry.Path, recursive, ct);
                report.Add(new TransferResult());
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                invocation.Messages.Error($"{url.Describe(entry.Path)}: {e.Message}");
                report.Add(entry.Path, e);
            }
        }

        if (matches.Gap is { } gap)
        {
            invocation.Messages.Error($"{url.Redacted}: {gap.Message}");
            report.Add(url.Path, gap);
        }

        return report.ExitCode;
    }
}
