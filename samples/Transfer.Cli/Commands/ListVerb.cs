using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Lists a folder.</summary>
internal sealed class ListVerb() : Verb("ls", "[OPTIONS] URL", "List a folder.")
{
    public override string Details => """
        Names, one a line, sorted; with *, ? and [...] in the URL's last part those that match. --json prints
        one object an entry a line, in the server's order. A listing that lacks entries, or may lack some, ends
        with 1 and the reason; with --json in a last object, "failed".
        """;

    public override IReadOnlyList<string> Examples =>
        ["ls ftp://ftp.example.com/pub/", "ls -l 'ftpes://me@ftp.example.com/~/*.csv'", "ls --json ftp://ftp.example.com/pub/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Output", [options.Long, options.Json]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        var details = invocation.Flag(invocation.Options.Long);
        if (details && invocation.Json) throw new UsageException("--long and --json contradict each other.");
        return SingleServer.RunAsync(invocation, url, client => ListAsync(invocation, client, url, details, ct), ct);
    }

    private static async Task<int> ListAsync(Invocation invocation, TransferClient client, TransferUrl url, bool details,
        CancellationToken ct)
    {
        var most = invocation.MaxListing;
        var entries = EntriesAsync(client, url, most, ct);
        if (invocation.Json) return await WriteJsonAsync(invocation, url, entries, ct);
        var kept = new KeptEntries(url.Path, most);
        TransferException? gap = null;
        try
        {
            await foreach (var entry in entries.WithCancellation(ct)) kept.Add(entry);
        }
        catch (TransferException e) when (e.Error == TransferError.Partial)
        {
            gap = e;
        }

        var sorted = kept.Entries;
        sorted.Sort((a, b) => string.CompareOrdinal(a.Name, b.Name));
        await EntryTable.WriteAsync(invocation.Host, sorted, details, ct);
        return gap is null ? ExitCode.Done : throw gap;
    }

    // Entries as they come; what a partial listing lacks is the last object, in the form that other verbs have for failures.
    private static async Task<int> WriteJsonAsync(Invocation invocation, TransferUrl url, IAsyncEnumerable<RemoteEntry> entries,
        CancellationToken ct)
    {
        try
        {
            await foreach (var entry in entries.WithCancellation(ct))
                await JsonOutput.WriteAsync(invocation.Host.Output, EntryJson.From(entry), ct);
            return ExitCode.Done;
        }
        catch (TransferException e) when (e.Error == TransferError.Partial)
        {
            await JsonOutput.WriteAsync(invocation.Host.Output,
                new ListFailureJson { Failed = [FailureJson.Of(new ItemFailure(url.Redacted, e))] }, ct);
            throw;
        }
    }

    private static async IAsyncEnumerable<RemoteEntry> EntriesAsync(
        TransferClient client, TransferUrl url, long? most, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        if (url.Glob is { } glob)
        {
            var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, glob, most, ct);
            foreach (var entry in entries) yield return entry;
            if (gap is not null) throw gap;
            yield break;
        }

        // A folder most likely: only when it cannot be listed is the server asked what it is.
        var listing = client.ListAsync(url.Path, options: null, ct).GetAsyncEnumerator(ct);
        await using (listing)
        {
            RemoteEntry? file = null;
            try
            {
                if (!await listing.MoveNextAsync()) yield break;
            }
            catch (TransferException e)
                when (!url.NamesDirectory && e.Error is not (TransferError.Auth or TransferError.Partial)
                    && e is not TransferConnectionException)
            {
                file = await client.GetEntryAsync(url.Path, ct);
                if (file is null or { Type: RemoteEntryType.Directory }) throw;
            }

            if (file is not null)
            {
                yield return file;
                yield break;
            }

            do yield return listing.Current;
            while (await listing.MoveNextAsync());
        }
    }
}
