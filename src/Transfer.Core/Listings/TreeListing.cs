using Transfer.Sessions;

namespace Transfer.Listings;

/// <summary>
/// One directory as it was read to its end, with what absence from it is worth; its room is given back when it is disposed of.
/// </summary>
/// <param name="Entries">Its entries; the list is the caller's.</param>
/// <param name="Verdict">What absence from them is worth.</param>
/// <param name="Gap">Why the listing is partial; null unless it is.</param>
/// <param name="MayHideDots">Names that begin with a dot may be missing.</param>
internal sealed record TreeListing(List<TreeEntry> Entries, ListingVerdict Verdict, TransferException? Gap, bool MayHideDots) : IDisposable
{
    /// <summary>What the entries take of the memory for listings; null: nothing.</summary>
    public ListingShare? Share { get; init; }

    /// <summary>What is not among the entries is not there, but for names that may be hidden.</summary>
    public bool IsComplete => Verdict == ListingVerdict.Complete;

    /// <summary>A listing that holds every entry.</summary>
    public static TreeListing Complete(List<TreeEntry> entries, ListingShare? share = null) => new(entries, ListingVerdict.Complete, null, MayHideDots: false) { Share = share };

    /// <inheritdoc/>
    public void Dispose() => Share?.Dispose();
}
