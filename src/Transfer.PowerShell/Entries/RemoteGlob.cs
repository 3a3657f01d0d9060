using System.Management.Automation;
using System.Runtime.CompilerServices;

namespace Transfer.PowerShell.Entries;

/// <summary>Finds the entries of a server that match a path with PowerShell's wildcards, in any part of the path.</summary>
internal static class RemoteGlob
{
    public static bool IsPattern(string path) => WildcardPattern.ContainsWildcardCharacters(path);

    /// <summary>Those of some paths that name one entry each, as the server has their names.</summary>
    public static IEnumerable<string> Literal(IEnumerable<string> paths) =>
        paths.Where(path => !IsPattern(path)).Select(WildcardPattern.Unescape);

    /// <summary>Those that may name several.</summary>
    public static IEnumerable<string> Patterns(IEnumerable<string> paths) => paths.Where(IsPattern);

    /// <summary>The entries that match, folder by folder. A folder that does not exist has none.</summary>
    public static async IAsyncEnumerable<RemoteEntry> FindAsync(TransferClient client, string pattern,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var parts = pattern.Split('/', StringSplitOptions.RemoveEmptyEntries);
        var fixedParts = parts.TakeWhile(part => !IsPattern(part)).ToArray();
        var start = (pattern.StartsWith('/') ? "/" : string.Empty) + string.Join('/', fixedParts.Select(WildcardPattern.Unescape));
        // An absent folder has no matches: the first listing shows the absence, without another round trip.
        var found = FindAsync(client, start, parts.AsMemory(fixedParts.Length), ct).GetAsyncEnumerator(ct);
        await using var foundEnd = found.ConfigureAwait(false);
        while (await TryMoveAsync(found).ConfigureAwait(false)) yield return found.Current;
    }

    private static async Task<bool> TryMoveAsync(IAsyncEnumerator<RemoteEntry> found)
    {
        try
        {
            return await found.MoveNextAsync().ConfigureAwait(false);
        }
        catch (TransferException e) when (e.Error == TransferError.NotFound)
        {
            return false;
        }
    }

    private static async IAsyncEnumerable<RemoteEntry> FindAsync(TransferClient client, string folder, ReadOnlyMemory<string> parts,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var (pattern, rest) = (new WildcardPattern(parts.Span[0], WildcardOptions.IgnoreCase), parts[1..]);
        await foreach (var entry in client.ListAsync(folder, null, ct).ConfigureAwait(false))
        {
            if (!pattern.IsMatch(entry.Name)) continue;
            if (rest.IsEmpty)
            {
                yield return entry;
            }
            else if (entry.Type != RemoteEntryType.File)
            {
                // The parts behind the pattern's last wildcard are looked up by name.
                if (!rest.ToArray().Any(IsPattern))
                {
                    if (await client.GetEntryAsync(RemotePath.Combine(entry.Path,
                        string.Join('/', rest.ToArray().Select(WildcardPattern.Unescape))), ct).ConfigureAwait(false) is { } found)
                    {
                        yield return found;
                    }

                    continue;
                }
                if (entry.Type != RemoteEntryType.Directory) continue;
                await foreach (var below in FindAsync(client, entry.Path, rest, ct).ConfigureAwait(false)) yield return below;
            }
        }
    }
}
