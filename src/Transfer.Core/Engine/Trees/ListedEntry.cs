using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>An entry as the listing of its folder shows it, with what a look at the single path leaves out in some protocols.</summary>
internal static class ListedEntry
{
    /// <summary>Returns the listed entry; null: not listed, or the path has no folder above.</summary>
    /// <exception cref="TransferException">The folder cannot be listed.</exception>
    public static async ValueTask<RemoteEntry?> FindAsync(TransferSession session, RemoteEntry entry, CancellationToken ct)
    {
        if (RemotePath.GetParent(entry.Path) is not { Length: > 0 } folder) return null;
        RemoteEntry? found = null;
        // To the end: a listing that is broken off may cost the session.
        await foreach (var listed in session.ListAsync(folder, new ListingReport(), ct).ConfigureAwait(false))
        {
            if (listed.Name == entry.Name) found = listed;
        }
        return found;
    }
}
