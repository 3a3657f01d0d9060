using System.CommandLine;
using System.Runtime.CompilerServices;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Lists folders.</summary>
internal sealed class ListVerb() : Verb("ls", "[OPTIONS] URL...", "List folders.")
{
    public override string Details => """
        Names, one a line, sorted; with *, ?, [...] and {a,b} in the URL those that match. --json prints one object an
        entry a line, in the server's order. With -R also what the folders below hold, as paths from the URL on, in
        the order of arrival, level by level, or all of them in the order that -t, -S or -r give; links are not
        followed. Of several URLs each is named before its entries. A listing that lacks entries, or may lack some, ends
        with 1 and the reason; with --json in a last object, "failed".
        """;

    public override IReadOnlyList<string> Examples =>
    [
        "ls ftp://ftp.example.com/pub/",
        "ls -l 'ftpes://me@ftp.example.com/~/*.csv'",
        "ls -l -t -h sftp://me@files.example.com/in/",
        "ls --json ftp://ftp.example.com/pub/",
        "ls -R sftp://me@files.example.com/~/site/",
    ];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options)
    {
        var look = options.Look;
        return
        [
            ("Output",
                [look.Long, look.Recursive, look.Itself, look.ByTime, look.BySize, look.Reverse, look.Human, look.All, look.Utc,
                options.Json]),
            Groups.Login(options), Groups.Connection(options),
        ];
    }

    public override IReadOnlyList<string> UsualArguments(int count) => count == 0 ? ["."] : [];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var urls = SeveralUrls.Read(invocation);
        var look = invocation.Options.Look;
        if (invocation.Flag(look.Long) && invocation.Json) throw new UsageException("--long and --json contradict each other.");
        if (invocation.Flag(look.Recursive) && urls.Any(url => url.Pattern is not null))
            throw new UsageException("-R lists a folder: it takes no pattern.");
        if (invocation.Flag(look.Recursive) && invocation.Flag(look.Itself)) throw new UsageException("-R and -d contradict each other.");
        var order = EntryOrder.Read(invocation);
        var isFirst = true;
        return SeveralUrls.RunAsync(invocation, urls, async (client, url) =>
        {
            if (urls.Count > 1 && !invocation.Json && !invocation.Flag(look.Itself))
            {
                await invocation.Host.WriteLineAsync((isFirst ? string.Empty : "\n") + PrintableText.Of(url.Redacted) + ":", ct);
                isFirst = false;
            }

            return await ListAsync(invocation, client, url, order, ct);
        }, ct);
    }

    private static async Task<int> ListAsync(
        Invocation invocation, TransferClient client, TransferUrl url, EntryOrder order, CancellationToken ct)
    {
        var (host, look) = (invocation.Host, invocation.Options.Look);
        var recursive = invocation.Flag(look.Recursive);
        var namesSuffice = !invocation.Flag(look.Long) && !invocation.Json && !order.IsOfFacts;
        var paths = new EntryPaths();
        var found = invocation.Flag(look.Itself) && url.Pattern is null
            ? ItselfAsync(client, url, ct)
            : EntrySource.ReadAsync(client, url, new ListOptions { Recursive = recursive, NamesSuffice = namesSuffice },
                invocation.MaxListing, ct);
        var entries = paths.NoteAsync(found);
        if (order.IsGiven || !recursive && !invocation.Json) entries = SortAsync(entries, url, order, invocation.MaxListing, ct);
        if (invocation.Json) return await EntryOutput.WriteJsonAsync(host, url, entries, ct);
        return await EntryOutput.WriteAsync(host, entries, Format(invocation), paths.Of, ct);
    }

    /// <summary>The form of lines that the options ask for.</summary>
    public static EntryFormat Format(Invocation invocation)
    {
        var look = invocation.Options.Look;
        return new EntryFormat(invocation.Flag(look.Long), invocation.Flag(look.Human),
            invocation.Flag(look.Utc) ? TimeZoneInfo.Utc : invocation.Host.TimeProvider.LocalTimeZone);
    }

    private static async IAsyncEnumerable<RemoteEntry> ItselfAsync(
        TransferClient client, TransferUrl url, [EnumeratorCancellation] CancellationToken ct)
    {
        yield return await client.GetEntryAsync(url.Path, ct)
            ?? throw new TransferException(TransferError.NotFound, "There is no such file or folder.") { RemotePath = url.Redacted };
    }

    // What a partial listing lacks is said behind the entries that it has.
    private static async IAsyncEnumerable<RemoteEntry> SortAsync(
        IAsyncEnumerable<RemoteEntry> entries, TransferUrl url, EntryOrder order, long? most,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var kept = new KeptEntries(url.Path, most);
        var gap = await EntrySource.TakeAllAsync(entries, kept.Add, ct);
        kept.Entries.Sort(order);
        foreach (var entry in kept.Entries) yield return entry;
        if (gap is not null) throw gap;
    }
}
