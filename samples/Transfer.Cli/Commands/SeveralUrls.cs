using Transfer.Cli.Urls;
using Transfer.Local;

namespace Transfer.Cli.Commands;

/// <summary>What the verbs on several URLs share: each is tried, in order, and the exit code is that of all.</summary>
internal static class SeveralUrls
{
    /// <summary>The URLs of the run.</summary>
    /// <exception cref="UsageException">There is none, or an argument is not a server's URL.</exception>
    public static IReadOnlyList<TransferUrl> Read(Invocation invocation) =>
        invocation.Paths.Count == 0
        ? throw new UsageException("A URL is missing.") : [.. invocation.Paths.Select(Invocation.RemoteUrl)];

    /// <summary>Runs an action for each URL.</summary>
    /// <param name="invocation">The run.</param>
    /// <param name="urls">The URLs; those of one server share a client.</param>
    /// <param name="run">Takes a URL and returns the exit code for that.</param>
    /// <param name="ct">Cancels.</param>
    /// <returns>The code that all URLs ended with, or 1.</returns>
    public static async Task<int> RunAsync(
        Invocation invocation, IReadOnlyList<TransferUrl> urls, Func<TransferClient, TransferUrl, Task<int>> run, CancellationToken ct)
    {
        var login = invocation.Login(invocation.Options.Login);
        var oneServer = urls.All(url => url.IsSameServer(urls[0]));
        if (!oneServer && login.Given.Count > 0)
            throw new UsageException($"{login.Given[0]} would go to more than one server; write the users into the URLs, or use .netrc.");
        await using var connector = invocation.CreateConnector(urls);
        var codes = new List<int>();
        foreach (var url in urls)
        {
            var client = await connector.OpenAsync(url, login, ambient: oneServer, ct);
            codes.Add(await TryAsync(invocation, url, () => run(client, url)));
        }

        return ExitCode.OfAll(codes);
    }

    /// <summary>Runs an action for each file that the URLs name, patterns included, in order.</summary>
    /// <param name="invocation">The run; its paths are the URLs.</param>
    /// <param name="run">Takes a file of a server.</param>
    /// <param name="ct">Cancels.</param>
    public static Task<int> RunAsync(
        Invocation invocation, Func<TransferClient, TransferUrl, string, Task> run, CancellationToken ct) =>
        RunAsync(invocation, Read(invocation), async (client, url) =>
        {
            if (url.Pattern is not { } pattern)
            {
                await run(client, url, url.Path);
                return ExitCode.Done;
            }

            var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, pattern, invocation.MaxListing, ct);
            var codes = new List<int>();
            foreach (var entry in entries.Where(entry => entry.Type is RemoteEntryType.File or RemoteEntryType.Link))
            {
                codes.Add(await TryAsync(invocation, url, async () =>
                {
                    await run(client, url, entry.Path);
                    return ExitCode.Done;
                }));
            }

            if (gap is not null) codes.Add(Fail(invocation, url, gap));
            return ExitCode.OfAll(codes);
        }, ct);

    private static async Task<int> TryAsync(Invocation invocation, TransferUrl url, Func<Task<int>> run)
    {
        try
        {
            return await run();
        }
        catch (Exception e) when (ExitCode.IsFailure(e) && !invocation.Host.OutputIsClosed())
        {
            return Fail(invocation, url, e);
        }
    }

    private static int Fail(Invocation invocation, TransferUrl url, Exception error)
    {
        var path = (error as TransferException)?.RemotePath;
        var shown = path is null ? url.Redacted : path.StartsWith(url.ServerText, StringComparison.Ordinal) ? path : url.Describe(path);
        invocation.Messages.Error($"{shown}: {LocalErrors.Describe(error)}");
        return ExitCode.For(error);
    }
}
