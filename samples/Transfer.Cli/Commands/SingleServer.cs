using Transfer.Cli.Output;
using Transfer.Cli.Urls;
using Transfer.Local;

namespace Transfer.Cli.Commands;

/// <summary>What the verbs on one URL share: they do one thing, and what goes wrong with it is the command's outcome.</summary>
internal static class SingleServer
{
    public static async Task<int> RunAsync(Invocation invocation, TransferUrl url, Func<TransferClient, Task<int>> run,
        CancellationToken ct)
    {
        await using var connector = invocation.CreateConnector(url);
        var client = await connector.OpenAsync(url, invocation.Login(invocation.Options.Login), ambient: true, ct);
        try
        {
            return await run(client);
        }
        catch (Exception e) when (ExitCode.IsFailure(e) && !invocation.Host.OutputIsClosed())
        {
            var shown = e is TransferException { RemotePath: { } path } && path.StartsWith(url.ServerText, StringComparison.Ordinal) ? path
                : url.Redacted;
            invocation.Messages.Error($"{shown}: {LocalErrors.Describe(e)}");
            return ExitCode.For(e);
        }
    }

    /// <summary>Says that a URL names nothing.</summary>
    public static int Missing(Messages messages, TransferUrl url)
    {
        messages.Error($"{url.Redacted}: there is no such file or folder.");
        return ExitCode.NotFound;
    }
}
