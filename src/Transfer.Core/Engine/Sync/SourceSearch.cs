using Transfer.Engine.Trees;
using Transfer.Listings;
using Transfer.Names;

namespace Transfer.Engine.Sync;

/// <summary>A search for any file of a source of which a synchronisation reads some folders only.</summary>
internal static class SourceSearch
{
    // Below a listing that shows a link to a parent folder as a folder there is no end.
    private const int MostFolders = 10_000;
    private const int LongestPath = 8192;

    /// <summary>Returns whether the source has a file or a link; false also where the first thousands of folders have none.</summary>
    public static async ValueTask<bool> HasFileAsync(ISourceTree source, CancellationToken ct)
    {
        var open = new Stack<string>([string.Empty]);
        for (var left = MostFolders; left > 0 && open.TryPop(out var directory); left--)
        {
            using var listed = await ListAsync(source, directory, ct).ConfigureAwait(false);
            foreach (var entry in listed?.Entries ?? [])
            {
                if (entry.Type != RemoteEntryType.Directory)
                {
                    if (!TemporaryNames.IsTemporary(entry.Name)) return true;
                }
                else if (ListedNames.Refuse(entry.Name) is null && directory.Length + entry.Name.Length < LongestPath)
                {
                    open.Push(directory.Length == 0 ? entry.Name : $"{directory}/{entry.Name}");
                }
            }
        }
        return false;
    }

    private static async ValueTask<TreeListing?> ListAsync(ISourceTree source, string directory, CancellationToken ct)
    {
        try
        {
            return await source.ListAsync(directory, ct).ConfigureAwait(false);
        }
        catch (TransferException e) when (e is not TransferConnectionException)
        {
            return null;
        }
    }
}
