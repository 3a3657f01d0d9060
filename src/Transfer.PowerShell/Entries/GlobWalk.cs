using System.Management.Automation;

namespace Transfer.PowerShell.Entries;

/// <summary>Finds the entries of a server that match a pattern. Where a folder cannot be listed, the others are all the same.</summary>
/// <param name="client">The client of the server.</param>
/// <param name="ct">Cancels.</param>
internal sealed class GlobWalk(TransferClient client, CancellationToken ct)
{
    private TransferException? _gap;

    /// <inheritdoc cref="RemoteGlob.FindAsync"/>
    public async IAsyncEnumerable<RemoteEntry> FindAsync(string pattern)
    {
        var parts = pattern.Split('/', StringSplitOptions.RemoveEmptyEntries);
        var fixedParts = parts.TakeWhile(part => !RemoteGlob.IsPattern(part)).ToArray();
        var start = (pattern.StartsWith('/') ? "/" : string.Empty) + NameOf(fixedParts);
        // An absent folder has no matches: the first listing shows the absence, without another round trip.
        await foreach (var entry in FindAsync(start, parts.AsMemory(fixedParts.Length), isFirst: true).ConfigureAwait(false))
            yield return entry;
        if (_gap is not null) throw _gap;
    }

    private async IAsyncEnumerable<RemoteEntry> FindAsync(string folder, ReadOnlyMemory<string> parts, bool isFirst)
    {
        var (pattern, rest) = (new WildcardPattern(parts.Span[0], WildcardOptions.IgnoreCase), parts[1..]);
        var entries = client.ListAsync(folder, null, ct).GetAsyncEnumerator(ct);
        await using var end = entries.ConfigureAwait(false);
        while (await TryMoveAsync(entries, folder, isFirst).ConfigureAwait(false))
        {
            var entry = entries.Current;
            if (!pattern.IsMatch(entry.Name)) continue;
            if (rest.IsEmpty)
            {
                yield return entry;
            }
            else if (entry.Type != RemoteEntryType.File && !IsUnnameable(entry))
            {
                // The parts behind the pattern's last wildcard are looked up by name.
                if (!rest.ToArray().Any(RemoteGlob.IsPattern))
                {
                    var path = RemotePath.Combine(entry.Path, NameOf(rest.ToArray()));
                    if (await LookAsync(path).ConfigureAwait(false) is { } found) yield return found;
                }
                else if (entry.Type == RemoteEntryType.Directory)
                {
                    await foreach (var below in FindAsync(entry.Path, rest, isFirst: false).ConfigureAwait(false)) yield return below;
                }
            }
        }
    }

    // False: the folder shows no more entries.
    private async Task<bool> TryMoveAsync(IAsyncEnumerator<RemoteEntry> entries, string folder, bool isFirst)
    {
        try
        {
            return await entries.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            // Over FTP one answer, 550, stands for an absent folder and for one that may not be read.
            var isAbsent = e.Error == TransferError.NotFound && await LookAsync(folder).ConfigureAwait(false) is null;
            if (isAbsent) return false;
            var isOfFolder = e.Error == TransferError.Partial || (isFirst && e.Error != TransferError.NotFound);
            _gap ??= isOfFolder ? e : Unlisted(folder, e);
            return false;
        }
    }

    private async Task<RemoteEntry?> LookAsync(string path)
    {
        try
        {
            return await client.GetEntryAsync(path, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            _gap ??= e;
            return null;
        }
    }

    private bool IsUnnameable(RemoteEntry folder)
    {
        if (EntryNames.WhyUnsendable(folder.Path) is not { } reason) return false;
        _gap ??= reason;
        return true;
    }

    private static TransferException Unlisted(string folder, TransferException error) =>
        new(TransferError.Partial, $"{folder} could not be listed: {error.Message}", error) { RemotePath = folder };

    private static string NameOf(string[] parts) => string.Join('/', parts.Select(WildcardPattern.Unescape));
}
