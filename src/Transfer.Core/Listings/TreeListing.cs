using Transfer.Sessions;

namespace Transfer.Listings;

/// <summary>
/// The listing of one directory, read to the end, with the verdict on absence; disposal gives the memory back.
/// </summary>
/// <param name="Entries">The entries; the list is the caller's.</param>
/// <param name="Verdict">The meaning of absence from the entries.</param>
/// <param name="Gap">Why the listing is partial; null: not partial.</param>
/// <param name="MayHideDots">Whether names that begin with a dot may be missing.</param>
internal sealed record TreeListing(List<TreeEntry> Entries, ListingVerdict Verdict, TransferException? Gap, bool MayHideDots) : IDisposable
{
    /// <summary>The entries' share of the memory for listings; null: none.</summary>
    public ListingShare? Share { get; init; }

    /// <summary>Whether absence from the entries proves absence from the directory, but for names that may be hidden.</summary>
    public bool IsComplete => Verdict == ListingVerdict.Complete;

    /// <summary>A listing that holds every entry.</summary>
    public static TreeListing Complete(List<TreeEntry> entries, ListingShare? share = null) =>
        new(entries, ListingVerdict.Complete, null, MayHideDots: false) { Share = share };

    /// <inheritdoc/>
    public void Dispose() => Share?.Dispose();
}
