using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>The facts that a job keeps of the source's listing of a directory.</summary>
internal sealed class SourceListing
{
    /// <summary>The completeness, which decides the worth of absence.</summary>
    public ListingVerdict Verdict { get; set; } = ListingVerdict.Complete;

    /// <summary>Whether names that begin with a dot may be lacking.</summary>
    public bool MayHideDots { get; set; }

    /// <summary>The entries in a few bytes, once listed.</summary>
    public ListingSign Sign { get; set; }
}
