using Transfer.Listings;

namespace Transfer.Engine.Trees;

/// <summary>A directory that is being deleted with all that is in it.</summary>
/// <param name="path">Its path.</param>
/// <param name="share">The room of the directories in it.</param>
internal sealed class DeletionFrame(string path, ListingShare share)
{
    /// <summary>The room of the directories in it.</summary>
    public ListingShare Share { get; } = share;

    /// <summary>Its path.</summary>
    public string Path { get; } = path;

    /// <summary>Directories in it that are still to be visited.</summary>
    public Stack<string> Children { get; } = [];

    /// <summary>Why its last listing is partial; null: it is not.</summary>
    public TransferException? Gap { get; set; }

    /// <summary>What its last listing named, where that is partial.</summary>
    public HashSet<string> Named { get; set; } = [];
}
