using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Prints a file's content.</summary>
internal sealed class CatVerb() : Verb("cat", "[OPTIONS] URL", "Print a file on standard output.")
{
    public override IReadOnlyList<string> Examples => ["cat ftp://ftp.example.com/pub/README"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.Limit]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        if (url.NamesDirectory) throw new UsageException("cat wants a file, and the URL names a folder.");
        return SingleServer.RunAsync(
            invocation,
            url,
            async client =>
            {
                await client.DownloadAsync(url.Path, invocation.Host.Output, options: null, progress: null, ct);
                return ExitCode.Done;
            },
            ct);
    }
}
