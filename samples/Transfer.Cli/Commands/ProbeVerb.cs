using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;

namespace Transfer.Cli.Commands;

/// <summary>Prints what a server can do and in which way each ability is used.</summary>
internal sealed class ProbeVerb() : Verb("probe", "[OPTIONS] URL", "Print what a server can do, and how each ability is used.")
{
    public override string Details =>
        "The entry of the URL is looked at, and listed if it is a folder, so that both ways are tried.\n"
        + "An ability that servers have in several ways is used in the fastest that works; what was found\n"
        + "is remembered for a week. Options such as --no-epsv and --plain force another way.";

    public override IReadOnlyList<string> Examples => ["probe ftp://ftp.example.com/pub/", "probe --json sftp://me@example.com/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [Groups.Json(options), Groups.Login(options), Groups.Connection(options)];

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        return SingleServer.RunAsync(
            invocation,
            url,
            async client =>
            {
                await WriteAsync(invocation, await client.ProbeAsync(url.Path, ct), ct);
                return ExitCode.Done;
            },
            ct);
    }

    /// <summary>Writes a report to standard output.</summary>
    public static async Task WriteAsync(Invocation invocation, ServerReport report, CancellationToken ct)
    {
        if (invocation.Json)
        {
            await JsonOutput.WriteAsync(invocation.Host.Output, ServerReportJson.From(report), ct);
            return;
        }
        await invocation.Host.Output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(ServerReportText.Of(report)), ct);
    }
}
