using Transfer.Sessions;

namespace Transfer.Engine.Scheduling;

/// <summary>
/// Looks at files for their lengths. Where a server describes a file without a length (no SIZE), the listing of the folder gives one.
/// </summary>
internal static class LengthLook
{
    /// <summary>Describes one path; null: proved absent.</summary>
    /// <exception cref="TransferException">Neither presence nor absence was proved.</exception>
    public static async ValueTask<RemoteEntry?> GetAsync(TransferSession session, string path, CancellationToken ct)
    {
        var outcome = (await GetAllAsync(session, [path], ct).ConfigureAwait(false))[0];
        return outcome.Error is { } error ? throw error : outcome.Entry;
    }

    /// <summary>Describes several paths; one outcome a path, in order. Each folder is listed once for all files there.</summary>
    public static async ValueTask<IReadOnlyList<EntryOutcome>> GetAllAsync(TransferSession session, IReadOnlyList<string> paths,
        CancellationToken ct)
    {
        EntryOutcome[] outcomes = [.. await session.GetEntriesAsync(paths, ct).ConfigureAwait(false)];
        var lacking = Enumerable.Range(0, outcomes.Length).Where(i => outcomes[i].Entry is { Type: RemoteEntryType.File, Length: null });
        foreach (var folder in lacking.GroupBy(i => RemotePath.GetParent(paths[i]) ?? "/"))
        {
            var names = folder.ToLookup(i => RemotePath.GetName(paths[i]), StringComparer.Ordinal);
            try
            {
                // Files that the listing lacks stay without a length.
                await foreach (var entry in session.ListAsync(folder.Key, new ListingReport(), ct).ConfigureAwait(false))
                {
                    if (entry.Type != RemoteEntryType.File) continue;
                    foreach (var i in names[entry.Name])
                    {
                        var known = outcomes[i].Entry! with { Length = entry.Length, IsLengthApproximate = entry.IsLengthApproximate };
                        outcomes[i] = new() { Entry = known };
                    }
                }
            }
            catch (TransferException e) when (e is not TransferConnectionException)
            {
                // The files stay without a length.
            }
        }
        return outcomes;
    }
}
