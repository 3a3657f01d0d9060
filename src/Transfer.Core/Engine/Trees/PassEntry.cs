using Transfer.Listings;
using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>An entry of a folder that a <see cref="TreePass"/> handles.</summary>
/// <param name="Folder">The folder that holds the entry.</param>
/// <param name="Path">The path of the entry.</param>
/// <param name="Type">The type of the entry.</param>
/// <param name="Mode">The permissions, if known.</param>
/// <param name="Proof">For an entry that is listed as a folder: the proof, which is not <see cref="DirectoryProof.Child"/>.</param>
internal readonly record struct PassEntry(
    PassFolder Folder, string Path, RemoteEntryType Type, UnixFileMode? Mode = null, DirectoryProof? Proof = null)
{
    // In the visit's list and in the board's queue.
    private const long Places = 2 * 40;

    /// <summary>Adds the entry to the list of a visit, and takes the entry's bytes.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Partial"/>: there is no room left.</exception>
    public void Keep(ListingShare share, List<PassEntry> list)
    {
        if (!share.TryTake(ListingShare.CostOf(Path) + Places)) throw share.Exceeded();
        list.Add(this);
    }
}
