using System.CommandLine;
using Transfer.Cli.Options;

namespace Transfer.Cli.Commands;

/// <summary>Creates a folder.</summary>
internal sealed class MakeDirectoryVerb() : Verb("mkdir", "[OPTIONS] URL", "Create a folder, and those above it.")
{
    public override string Details => "An existing folder is no failure.";

    public override IReadOnlyList<string> Examples => ["mkdir ftpes://me@ftp.example.com/www/2031/05"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        return SingleServer.RunAsync(
            invocation,
            url,
            async client =>
            {
                await client.CreateDirectoryAsync(url.Path, parents: true, ct);
                return ExitCode.Done;
            },
            ct);
    }
}
