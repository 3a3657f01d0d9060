using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Creates folders.</summary>
internal sealed class MakeDirectoryVerb() : Verb("mkdir", "[OPTIONS] URL...", "Create folders, and those above them.")
{
    public override string Details => "An existing folder is no failure.";

    public override IReadOnlyList<string> Examples =>
    [
        "mkdir ftpes://me@ftp.example.com/www/2031/05",
        "mkdir sftp://me@example.com/in sftp://me@example.com/out",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct) =>
        SeveralUrls.RunAsync(invocation, SeveralUrls.Read(invocation), async (client, url) =>
        {
            await client.CreateDirectoryAsync(url.Path, parents: true, ct);
            return ExitCode.Done;
        }, ct);
}
