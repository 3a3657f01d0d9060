using System.CommandLine;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Adds up the sizes of files.</summary>
internal sealed class DiskUseVerb() : Verb("du", "[OPTIONS] URL", "Add up the sizes of the files in a folder and each folder below.")
{
    public override string Details => """
        Bytes and the path from the URL on, a folder a line, the folder of the URL last, as a full stop. The sizes
        are the lengths of files, and not the space that they take of the disk. Links are not followed. Folders
        are kept in memory, up to --max-listing; files are added up as they come, however many there are.
        """;

    public override IReadOnlyList<string> Examples =>
        ["du -h --max-depth 1 sftp://me@files.example.com/home/", "du -s ftp://ftp.example.com/pub/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Output", [options.Look.SumOnly, options.Look.MaxDepth, options.Look.Human, options.Json]), Groups.Login(options),
        Groups.Connection(options),
    ];

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        var sumOnly = invocation.Flag(invocation.Options.Look.SumOnly);
        var depth = FindVerb.Depth(invocation);
        if (sumOnly && depth is not null) throw new UsageException("--summarize and --max-depth contradict each other.");
        return SingleServer.RunAsync(invocation, url, client => AddUpAsync(invocation, client, url, sumOnly ? 0 : depth, ct), ct);
    }

    private static async Task<int> AddUpAsync(
        Invocation invocation, TransferClient client, TransferUrl url, int? depth, CancellationToken ct)
    {
        var sums = new FolderSums(new KeptEntries(url.Path, invocation.MaxListing));
        var paths = new EntryPaths();
        var entries = paths.NoteAsync(
            EntrySource.ReadAsync(client, url, new ListOptions { Recursive = true }, invocation.MaxListing, ct));
        var gap = await EntrySource.TakeAllAsync(entries, entry => sums.Add(entry, paths.Of(entry)), ct);
        var text = new StringBuilder();
        foreach (var sum in sums.Read(depth)) text.Append(Line(invocation, sum)).Append('\n');
        await invocation.Host.Output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(text.ToString()), ct);
        if (gap is not null) throw gap;
        if (sums.FilesWithoutLength == 0) return ExitCode.Done;
        throw new TransferException(TransferError.Partial,
            $"The server lists files without a length ({sums.FilesWithoutLength}), and the sums lack these.");
    }

    private static string Line(Invocation invocation, FolderSum sum)
    {
        if (invocation.Json) return JsonSerializer.Serialize(FolderSumJson.Of(sum), EntryJsonContext.Default.FolderSumJson);
        var bytes = invocation.Flag(invocation.Options.Look.Human)
            ? Quantity.Bytes(sum.Bytes) : sum.Bytes.ToString(CultureInfo.InvariantCulture);
        return $"{bytes}\t{EntryTable.Name(sum.Path, invocation.Host.OutputIsTerminal)}";
    }
}
