using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>What the verbs on several URLs share: each is tried, and the exit code is that of all.</summary>
internal static class SeveralUrls
{
    /// <summary>Runs an action for each file that the URLs name, patterns included, in order.</summary>
    /// <param name="invocation">The run; its paths are the URLs.</param>
    /// <param name="run">Takes a file of a server.</param>
    /// <param name="ct">Cancels.</param>
    public static async Task<int> RunAsync(
        Invocation invocation, Func<TransferClient, TransferUrl, string, Task> run, CancellationToken ct)
    {
        if (invocation.Paths.Count == 0) throw new UsageException("A URL is missing.");
        var urls = invocation.Paths.Select(Invocation.RemoteUrl).ToList();
        var login = invocation.Login(invocation.Options.Login);
        var oneServer = urls.All(url => url.IsSameServer(urls[0]));
        if (!oneServer && login.Given.Count > 0)
            throw new UsageException($"{login.Given[0]} would go to more than one server; write the users into the URLs, or use .netrc.");
        await using var connector = invocation.CreateConnector(urls);
        var codes = new List<int>();
        foreach (var url in urls)
        {
            var client = await connector.OpenAsync(url, login, ambient: oneServer, ct);
            codes.Add(await TryAsync(invocation, url, async () =>
            {
                if (url.Pattern is not { } pattern)
                {
                    await run(client, url, url.Path);
                    return;
                }

                var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, pattern, invocation.MaxListing, ct);
                foreach (var entry in entries.Where(entry => entry.Type is RemoteEntryType.File or RemoteEntryType.Link))
                    codes.Add(await TryAsync(invocation, url, () => run(client, url, entry.Path)));
                if (gap is not null) throw gap;
            }));
        }

        var failed = codes.Where(code => code != ExitCode.Done).Distinct().ToList();
        return failed.Count == 0 ? ExitCode.Done
            : failed.Count == 1 && codes.TrueForAll(code => code != ExitCode.Done) ? failed[0] : ExitCode.SomeFailed;
    }

    private static async Task<int> TryAsync(Invocation invocation, TransferUrl url, Func<Task> run)
    {
        try
        {
            await run();
            return ExitCode.Done;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException && !invocation.Host.OutputIsClosed())
        {
            var path = (e as TransferException)?.RemotePath;
            var shown = path is null ? url.Redacted : path.StartsWith(url.ServerText, StringComparison.Ordinal) ? path : url.Describe(path);
            invocation.Messages.Error($"{shown}: {e.Message}");
            return ExitCode.For(e);
        }
    }
}
