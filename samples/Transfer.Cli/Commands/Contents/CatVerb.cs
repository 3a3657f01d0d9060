using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Contents;

/// <summary>Prints the content of files.</summary>
internal sealed class CatVerb() : Verb("cat", "[OPTIONS] URL...", "Print files, or a range of each, on standard output.")
{
    public override string Details =>
        "Several files are printed one behind the other; *, ?, [...] and {a,b} in a URL stand for the matching names.";

    public override IReadOnlyList<string> Examples =>
    [
        "cat ftp://ftp.example.com/pub/README",
        "cat sftp://me@files.example.com/parts/1.csv sftp://me@files.example.com/parts/2.csv",
        "cat --range -4K sftp://me@files.example.com/backup/full.tar",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Files", [options.Contents.Range, options.Limit]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        if (invocation.Paths.Any(path => path != "-" && UrlParser.Parse(path).NamesDirectory))
            throw new UsageException("cat wants files, and a URL names a folder.");
        var range = invocation.Value(invocation.Options.Contents.Range) is { } text ? ByteRange.Parse(text) : null;
        var output = invocation.Host.Output;
        return SeveralUrls.RunAsync(invocation, async (client, _, path) =>
        {
            if (range is null)
            {
                await client.DownloadAsync(path, output, options: null, progress: null, ct);
                return;
            }

            await using var content = await client.OpenReadAsync(path, await range.OfAsync(client, path, ct), ct);
            await content.CopyToAsync(output, ct);
        }, ct);
    }
}
