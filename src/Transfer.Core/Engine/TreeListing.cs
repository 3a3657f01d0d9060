using Transfer.Sessions;

namespace Transfer.Engine;

/// <summary>One directory as it was read to its end, with what absence from it is worth.</summary>
/// <param name="Entries">Its entries; the list is the caller's.</param>
/// <param name="Verdict">What absence from them is worth.</param>
/// <param name="Gap">Why the listing is partial; null unless it is.</param>
/// <param name="MayHideDots">Names that begin with a dot may be missing.</param>
internal sealed record TreeListing(List<TreeEntry> Entries, ListingVerdict Verdict, TransferException? Gap, bool MayHideDots)
{
    /// <summary>What is not among the entries is not there, but for names that may be hidden.</summary>
    public bool IsComplete => Verdict == ListingVerdict.Complete;

    /// <summary>A listing that holds every entry.</summary>
    public static TreeListing Complete(List<TreeEntry> entries) => new(entries, ListingVerdict.Complete, null, MayHideDots: false);
}
