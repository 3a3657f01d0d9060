using Transfer.Cli.Output;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>Prints entries as they arrive.</summary>
internal static class EntryOutput
{
    // Lines of one write; columns are as wide as these need.
    private const int MostTogether = 1000;

    /// <summary>Prints lines: whenever the next entry is still on the way, those before are printed.</summary>
    public static async Task<int> WriteAsync(
        CommandHost host, IAsyncEnumerable<RemoteEntry> entries, EntryFormat format, Func<RemoteEntry, string> nameOf, CancellationToken ct)
    {
        var some = new List<RemoteEntry>();
        var walk = entries.GetAsyncEnumerator(ct);
        await using (walk)
        {
            while (true)
            {
                var next = walk.MoveNextAsync().AsTask();
                try
                {
                    if (!next.IsCompletedSuccessfully || some.Count >= MostTogether) await FlushAsync();
                }
                catch
                {
                    await ((Task)next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    throw;
                }

                if (!await next) break;
                some.Add(walk.Current);
            }

            await FlushAsync();
        }

        return ExitCode.Done;

        async ValueTask FlushAsync()
        {
            if (some.Count > 0) await EntryTable.WriteAsync(host, some, format, nameOf, ct);
            some.Clear();
        }
    }

    /// <summary>
    /// Prints objects; what a partial listing lacks is the last object, in the form that other verbs have for failures.
    /// </summary>
    public static async Task<int> WriteJsonAsync(
        CommandHost host, TransferUrl url, IAsyncEnumerable<RemoteEntry> entries, CancellationToken ct)
    {
        try
        {
            await foreach (var entry in entries.WithCancellation(ct)) await JsonOutput.WriteAsync(host.Output, EntryJson.From(entry), ct);
            return ExitCode.Done;
        }
        catch (TransferException e) when (e.Error == TransferError.Partial)
        {
            await JsonOutput.WriteAsync(host.Output,
                new ListFailureJson { Failed = [FailureJson.Of(new ItemFailure(url.Redacted, e))] }, ct);
            throw;
        }
    }
}
