using System.CommandLine;
using System.Text;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Draws a folder with those below.</summary>
internal sealed class TreeVerb() : Verb("tree", "[OPTIONS] URL", "Draw a folder with all folders and files below.")
{
    private const string Branch = "├── ";
    private const string LastBranch = "└── ";
    private const string Line = "│   ";
    private const string Gap = "    ";

    public override string Details => "Sorted by name. Links are not followed. The last line counts the folders and files.";

    public override IReadOnlyList<string> Examples =>
        ["tree sftp://me@files.example.com/site/", "tree --folders --max-depth 2 ftp://ftp.example.com/pub/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
    [
        ("Output", [options.Look.FoldersOnly, options.Look.MaxDepth]), Groups.Login(options), Groups.Connection(options),
    ];

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        if (url.Pattern is not null) throw new UsageException("tree wants a folder, and no pattern.");
        var depth = FindVerb.Depth(invocation);
        return SingleServer.RunAsync(invocation, url, client => DrawAsync(invocation, client, url, depth, ct), ct);
    }

    private static async Task<int> DrawAsync(
        Invocation invocation, TransferClient client, TransferUrl url, int? depth, CancellationToken ct)
    {
        var foldersOnly = invocation.Flag(invocation.Options.Look.FoldersOnly);
        var kept = new KeptEntries(url.Path, invocation.MaxListing);
        var entries = client.ListAsync(url.Path, new ListOptions { Recursive = true, MaxDepth = depth, NamesSuffice = true }, ct)
            .Where(entry => !foldersOnly || entry.Type == RemoteEntryType.Directory);
        var gap = await EntrySource.TakeAllAsync(entries, kept.Add, ct);
        await WriteAsync(invocation.Host, url, kept.Entries, foldersOnly, ct);
        return gap is null ? ExitCode.Done : throw gap;
    }

    private static async Task WriteAsync(
        CommandHost host, TransferUrl url, List<RemoteEntry> entries, bool foldersOnly, CancellationToken ct)
    {
        var below = entries.OrderBy(entry => entry.Name, StringComparer.Ordinal)
            .ToLookup(entry => entry.Path[..^(entry.Name.Length + 1)], StringComparer.Ordinal);
        var text = new StringBuilder(EntryTable.Name(url.Redacted, host.OutputIsTerminal)).Append('\n');
        // The first entry of a listing is in the folder itself; its path may differ from the URL's, as for /~/.
        var waiting = new Stack<(RemoteEntry Entry, string Indent, bool IsLast)>();
        if (entries.Count > 0) Push(entries[0].Path[..^(entries[0].Name.Length + 1)], string.Empty);
        while (waiting.TryPop(out var next))
        {
            var (entry, indent, isLast) = next;
            text.Append(indent).Append(isLast ? LastBranch : Branch).Append(EntryTable.Name(entry.Name, host.OutputIsTerminal));
            if (entry.LinkTarget is { } target) text.Append(" -> ").Append(EntryTable.Name(target, host.OutputIsTerminal));
            text.Append('\n');
            if (entry.Type == RemoteEntryType.Directory) Push(entry.Path, indent + (isLast ? Gap : Line));
        }

        var folders = entries.Count(entry => entry.Type == RemoteEntryType.Directory);
        text.Append('\n').Append(folders == 1 ? "1 folder" : $"{folders} folders");
        if (!foldersOnly) text.Append(", ").Append(Quantity.Files(entries.Count - folders));
        await host.Output.WriteAsync(NameEncoding.LosslessUtf8.GetBytes(text.Append('\n').ToString()), ct);

        // The first of a folder is drawn first, so it is pushed last.
        void Push(string folder, string indent)
        {
            var isLast = true;
            foreach (var entry in below[folder].Reverse())
            {
                waiting.Push((entry, indent, isLast));
                isLast = false;
            }
        }
    }
}
