using Transfer.Listings;

namespace Transfer.Engine.Trees;

/// <summary>What the target has in one directory.</summary>
/// <param name="Entries">By their names there; null: nobody asks, or it is not known.</param>
/// <param name="Unknown">Why it is not known; null: it is.</param>
/// <param name="Share">Room that they take.</param>
internal readonly record struct TargetEntries(Dictionary<string, TreeEntry>? Entries, TransferException? Unknown, ListingShare? Share);
