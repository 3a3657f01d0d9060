using System.Runtime.CompilerServices;
using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands.Look;

/// <summary>The entries that a URL stands for: the content of a folder, a file, or the matches of a pattern.</summary>
internal static class EntrySource
{
    /// <summary>Takes all entries of a listing.</summary>
    /// <returns>The reason for which entries are lacking, to be thrown behind those that are there; null: none is.</returns>
    public static async Task<TransferException?> TakeAllAsync(
        IAsyncEnumerable<RemoteEntry> entries, Action<RemoteEntry> take, CancellationToken ct)
    {
        try
        {
            await foreach (var entry in entries.WithCancellation(ct)) take(entry);
            return null;
        }
        catch (TransferException e) when (e.Error == TransferError.Partial)
        {
            return e;
        }
    }

    /// <summary>Returns the entries as they arrive.</summary>
    /// <param name="client">The client of the server.</param>
    /// <param name="url">The URL.</param>
    /// <param name="options">The listing of a folder.</param>
    /// <param name="most">The most memory for the matches of a pattern; null: as much as by default.</param>
    /// <param name="ct">Cancels.</param>
    public static async IAsyncEnumerable<RemoteEntry> ReadAsync(
        TransferClient client, TransferUrl url, ListOptions options, long? most, [EnumeratorCancellation] CancellationToken ct)
    {
        if (url.Pattern is { } pattern)
        {
            var (entries, gap) = await GlobExpansion.ExpandAsync(client, url, pattern, most, ct, isShown: true);
            foreach (var entry in entries) yield return entry;
            if (gap is not null) throw gap;
            yield break;
        }

        // A folder most likely: only when it cannot be listed is the server asked what it is.
        var listing = client.ListAsync(url.Path, options, ct).GetAsyncEnumerator(ct);
        await using (listing)
        {
            RemoteEntry? file = null;
            try
            {
                if (!await listing.MoveNextAsync())
                {
                    await ThrowIfAbsentAsync(client, url, ct);
                    yield break;
                }
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

    // Stores of objects list every name, as a folder without entries.
    private static async Task ThrowIfAbsentAsync(TransferClient client, TransferUrl url, CancellationToken ct)
    {
        bool isAbsent;
        try
        {
            isAbsent = await client.GetEntryAsync(url.Path, ct) is null;
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // The listing itself was not refused.
            return;
        }
        if (isAbsent) throw new TransferException(TransferError.NotFound, "There is no such file or folder.") { RemotePath = url.Redacted };
    }
}
