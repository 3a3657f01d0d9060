using System.CommandLine;
using System.Globalization;
using System.Text.Json;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Shows the free space of a server.</summary>
internal sealed class SpaceVerb() : Verb("df", "[OPTIONS] URL", "Show the free space at a server.")
{
    public override string Details => """
        The bytes that this user may still write at the URL, and those of the whole file system where the server
        reports them: over SFTP by statvfs@openssh.com, over FTP by AVBL, which few servers have.
        """;

    public override IReadOnlyList<string> Examples => ["df -h sftp://me@files.example.com/srv", "df --json ftp://ftp.example.com/pub"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Output", [options.Look.Human, options.Json]), Groups.Login(options), Groups.Connection(options)];

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        return SingleServer.RunAsync(invocation, url, client => ShowAsync(invocation, client, url, ct), ct);
    }

    private static async Task<int> ShowAsync(Invocation invocation, TransferClient client, TransferUrl url, CancellationToken ct)
    {
        var space = await client.GetSpaceAsync(url.Path, ct)
            ?? throw new TransferException(TransferError.Unsupported, "The server does not report its space.");
        var text = invocation.Json
            ? JsonSerializer.Serialize(SpaceJson.Of(space), EntryJsonContext.Default.SpaceJson)
            : Describe(space, invocation.Flag(invocation.Options.Look.Human));
        await invocation.Host.WriteLineAsync(text, ct);
        return ExitCode.Done;
    }

    private static string Describe(StorageSpace space, bool isHuman)
    {
        var text = $"{Bytes(space.Available)} available";
        if (space.Total is not { } total || total <= 0) return text;
        var percent = 100m * space.Available / total;
        return $"{text} of {Bytes(total)} ({percent.ToString("F0", CultureInfo.InvariantCulture)}%)";

        string Bytes(long bytes) => isHuman ? Quantity.Bytes(bytes) : bytes.ToString(CultureInfo.InvariantCulture);
    }
}
