using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Finds what a pattern in a URL's last part stands for.</summary>
internal static class GlobExpansion
{
    /// <summary>The entries that match, by name; as in a shell, a pattern that matches nothing may be a name itself.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.NotFound"/>: nothing matches, and nothing has that name. <see cref="TransferError.Partial"/>: the same of a
    /// listing that is partial.
    /// </exception>
    public static async Task<GlobMatches> ExpandAsync(TransferClient client, TransferUrl url, Glob glob, long? most, CancellationToken ct)
    {
        var directory = RemotePath.GetParent(url.Path) ?? "/";
        var kept = new KeptEntries(directory, most);
        TransferException? gap = null;
        try
        {
            await foreach (var entry in client.ListAsync(directory, options: null, ct))
                if (glob.IsMatch(entry.Name)) kept.Add(entry);
        }
        catch (TransferException e) when (e.Error == TransferError.Partial)
        {
            gap = e;
        }

        var matches = kept.Entries;
        if (matches.Count == 0 && await client.GetEntryAsync(url.Path, ct) is { } named) matches.Add(named);
        if (matches.Count == 0)
            throw gap ?? new TransferException(TransferError.NotFound, "Nothing matches.") { RemotePath = url.Redacted };
        matches.Sort((a, b) => string.CompareOrdinal(a.Path, b.Path));
        return new(matches, gap);
    }
}
