using Transfer.Listings;

namespace Transfer.Engine.Trees;

/// <summary>A directory that is being deleted with all entries.</summary>
/// <param name="path">The path of the directory.</param>
/// <param name="share">The budget share of the child directories.</param>
internal sealed class DeletionFrame(string path, ListingShare share)
{
    /// <summary>The budget share of the child directories.</summary>
    public ListingShare Share { get; } = share;

    /// <summary>The path of the directory.</summary>
    public string Path { get; } = path;

    /// <summary>Child directories that are still to be visited.</summary>
    public Stack<string> Children { get; } = [];

    /// <summary>Why the last listing is partial; null: complete.</summary>
    public TransferException? Gap { get; set; }

    /// <summary>The paths in the last listing, where that is partial.</summary>
    public HashSet<string> Named { get; set; } = [];
}
