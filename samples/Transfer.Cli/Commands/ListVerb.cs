using System.CommandLine;
using Transfer.Cli.Options;
using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Lists a folder.</summary>
internal sealed class ListVerb() : Verb("ls", "[OPTIONS] URL", "List a folder.")
{
    // Lines of one write; columns are as wide as these need.
    private const int MostTogether = 1000;

    public override string Details => """
        Names, one a line, sorted; with *, ? and [...] in the URL's last part those that match. --json prints
        one object an entry a line, in the server's order. With -R also what the folders below hold, as paths
        from the URL on, in the order of arrival: level by level; links are not followed. A listing that lacks
        entries, or may lack some, ends with 1 and the reason; with --json in a last object, "failed".
        """;

    public override IReadOnlyList<string> Examples =>
        [
            "ls ftp://ftp.example.com/pub/",
            "ls -l 'ftpes://me@ftp.example.com/~/*.csv'",
            "ls --json ftp://ftp.example.com/pub/",
            "ls -R sftp://me@files.example.com/~/site/"];

    public override IReadOnlyList<(string Heading, IEnumerable<Option> Options)> Options(CliOptions options) =>
        [("Output", [options.Long, options.RecursiveList, options.Json]), Groups.Login(options), Groups.Connection(options)];

    public override Task<int> RunAsync(Invocation invocation, CancellationToken ct)
    {
        var url = invocation.SingleUrl();
        var details = invocation.Flag(invocation.Options.Long);
        if (details && invocation.Json) throw new UsageException("--long and --json contradict each other.");
        if (invocation.Flag(invocation.Options.RecursiveList) && url.Glob is not null)
            throw new UsageException("-R lists a folder: it takes no pattern.");
        return SingleServer.RunAsync(invocation, url, client => ListAsync(invocation, client, url, details, ct), ct);
    }

    private static async Task<int> ListAsync(Invocation invocation, TransferClient client, TransferUrl url, bool details,
        CancellationToken ct)
    {
        var most = invocation.MaxListing;
        var recursive = invocation.Flag(invocation.Options.RecursiveList);
        var entries = EntriesAsync(client, url, recursive, most, ct);
        if (invocation.Json) return await WriteJsonAsync(invocation, url, entries, ct);
        if (recursive) return await WriteTreeAsync(invocation.Host, entries, details, ct);
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
        await EntryTable.WriteAsync(invocation.Host, sorted, details, nameOf: null, ct);
        return gap is null ? ExitCode.Done : throw gap;
    }

    // Lines as entries arrive: whenever the next one is still on the way, those before are printed.
    private static async Task<int> WriteTreeAsync(CommandHost host, IAsyncEnumerable<RemoteEntry> entries, bool details,
        CancellationToken ct)
    {
        var (some, start) = (new List<RemoteEntry>(), (int?)null);
        var walk = entries.GetAsyncEnumerator(ct);
        await using (walk)
        {
            while (true)
            {
                var next = walk.MoveNextAsync().AsTask();
                try
                {
                    if (!next.IsCompletedSuccessfully || some.Count >= MostTogether) await WriteAsync();
                }
                catch
                {
                    await ((Task)next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    throw;
                }
                if (!await next) break;
                some.Add(walk.Current);
                // The first entry is in the folder of the URL.
                start ??= walk.Current.Path.Length - walk.Current.Name.Length;
            }
            await WriteAsync();
        }
        return ExitCode.Done;

        async ValueTask WriteAsync()
        {
            if (some.Count > 0) await EntryTable.WriteAsync(host, some, details, entry => entry.Path[start!.Value..], ct);
            some.Clear();
        }
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
        TransferClient client, TransferUrl url, bool recursive, long? most,
        [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct)
    {
        if (url.Glob is { } glob)
        {
            var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, glob, most, ct);
            foreach (var entry in entries) yield return entry;
            if (gap is not null) throw gap;
            yield break;
        }

        // A folder most likely: only when it cannot be listed is the server asked what it is.
        var listing = client.ListAsync(url.Path, new ListOptions { Recursive = recursive }, ct).GetAsyncEnumerator(ct);
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
