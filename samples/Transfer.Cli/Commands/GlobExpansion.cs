using Transfer.Cli.Urls;

namespace Transfer.Cli.Commands;

/// <summary>Finds the entries that the pattern in a URL stands for.</summary>
internal sealed class GlobExpansion
{
    private readonly TransferClient _client;
    private readonly UrlPattern _pattern;
    private readonly KeptEntries _kept;
    private readonly bool _isShown;
    private readonly HashSet<string> _seen = new(StringComparer.Ordinal);
    private TransferException? _gap;

    private GlobExpansion(TransferClient client, UrlPattern pattern, string directory, long? most, bool isShown) =>
        (_client, _pattern, _kept, _isShown) = (client, pattern, new KeptEntries(directory, most), isShown);

    /// <summary>The entries that match, by path; as in a shell, a pattern that matches nothing may be a name itself.</summary>
    /// <param name="client">The client of the server.</param>
    /// <param name="url">The URL.</param>
    /// <param name="pattern">The pattern in the URL.</param>
    /// <param name="most">The most memory for the matches; null: as much as by default.</param>
    /// <param name="ct">Cancels.</param>
    /// <param name="isShown">Whether the matches are shown only: then one may have a name that no request can have.</param>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.NotFound"/>: nothing matches, and nothing has that name. <see cref="TransferError.Partial"/>: the same of a
    /// listing that is partial.
    /// </exception>
    public static async Task<GlobMatches> ExpandAsync(
        TransferClient client, TransferUrl url, UrlPattern pattern, long? most, CancellationToken ct, bool isShown = false)
    {
        var expansion = new GlobExpansion(client, pattern, RemotePath.GetParent(url.Path) ?? "/", most, isShown);
        foreach (var parts in pattern.Alternatives) await expansion.AddAsync(parts, ct);
        var (matches, gap) = (expansion._kept.Entries, expansion._gap);
        if (matches.Count == 0 && await FindNameAsync(client, url.Path, ct) is { } named) return new([named], null);
        if (matches.Count == 0)
            throw gap ?? new TransferException(TransferError.NotFound, "Nothing matches.") { RemotePath = url.Redacted };
        matches.Sort((a, b) => string.CompareOrdinal(a.Path, b.Path));
        return new(matches, gap);
    }

    // A pattern is hardly ever a name: a server that refuses to look at that has no match.
    private static async Task<RemoteEntry?> FindNameAsync(TransferClient client, string path, CancellationToken ct)
    {
        try
        {
            return await client.GetEntryAsync(path, ct);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return null;
        }
    }

    private async Task AddAsync(IReadOnlyList<PatternPart> parts, CancellationToken ct)
    {
        List<string> folders = ["/"];
        for (var i = 0; i < parts.Count; i++)
        {
            var isLast = i == parts.Count - 1;
            if (parts[i].Glob is { } glob) folders = await MatchAsync(folders, glob, isLast, isFirst: !parts.Take(i).Any(IsGlob), ct);
            else if (!isLast) folders = [.. folders.Select(folder => RemotePath.Combine(folder, parts[i].Name))];
            else await LookAsync(folders, parts[i].Name, ct);
        }
    }

    private static bool IsGlob(PatternPart part) => part.Glob is not null;

    private async Task<List<string>> MatchAsync(List<string> folders, Glob glob, bool isLast, bool isFirst, CancellationToken ct)
    {
        var next = new List<string>();
        foreach (var folder in folders)
        {
            try
            {
                await foreach (var entry in _client.ListAsync(folder, options: null, ct))
                {
                    if (!glob.IsMatch(entry.Name)) continue;
                    if (!(isLast && _isShown) && HasLineEnd(entry)) continue;
                    if (isLast) Add(entry);
                    else if (entry.Type is RemoteEntryType.Directory or RemoteEntryType.Link) next.Add(entry.Path);
                }
            }
            catch (TransferException e) when (e.Error == TransferError.Partial)
            {
                _gap ??= e;
            }
            catch (TransferException e) when (!isFirst && e is not TransferConnectionException)
            {
                // The others may be listed.
                if (await IsFolderAsync(folder, e, ct))
                    _gap ??= new TransferException(TransferError.Partial, $"{folder} could not be listed: {e.Message}", e);
            }
        }

        return next;
    }

    // What has no listing may be a link to a file, or a name that not every folder has. But over FTP one answer, 550, stands for an absent
    // folder and for one that may not be read, and only the folder above shows which.
    private async Task<bool> IsFolderAsync(string path, TransferException refusal, CancellationToken ct)
    {
        if (refusal.Error is not (TransferError.NotFound or TransferError.Unsupported)) return true;
        try
        {
            return await _client.GetEntryAsync(path, ct) is { Type: RemoteEntryType.Directory };
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return true;
        }
    }

    // Such a name can be part of a listing, and of no request.
    private bool HasLineEnd(RemoteEntry entry)
    {
        if (!entry.Name.AsSpan().ContainsAny('\r', '\n', '\0')) return false;
        _gap ??= new TransferException(TransferError.Partial,
            $"{entry.Name} is left out: no request can have a name with CR, LF or NUL.")
        {
            RemotePath = entry.Path,
        };
        return true;
    }

    private async Task LookAsync(List<string> folders, string name, CancellationToken ct)
    {
        foreach (var some in folders.Chunk(EntryLooks.Together))
        {
            var found = await EntryLooks.FindAsync(_client, some.Select(folder => RemotePath.Combine(folder, name)), ct);
            foreach (var entry in found.OfType<RemoteEntry>()) Add(entry);
            // Of one of several names in braces: the others are taken all the same.
            if (folders.Count == 1 && found[0] is null)
            {
                _gap ??= new TransferException(TransferError.NotFound, "There is no such file or folder.")
                {
                    RemotePath = RemotePath.Combine(folders[0], name),
                };
            }
        }
    }

    private void Add(RemoteEntry entry)
    {
        if (_pattern.FoldersOnly && entry.Type != RemoteEntryType.Directory) return;
        if (_seen.Add(entry.Path)) _kept.Add(entry);
    }
}
