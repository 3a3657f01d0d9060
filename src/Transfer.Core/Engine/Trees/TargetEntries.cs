using Transfer.Listings;

namespace Transfer.Engine.Trees;

/// <summary>The target's entries of one directory.</summary>
/// <param name="Entries">The entries by name; null: not needed, or not known.</param>
/// <param name="Unknown">Why the entries are not known; null: known or not needed.</param>
/// <param name="Share">The budget share of the entries.</param>
internal readonly record struct TargetEntries(Dictionary<string, TreeEntry>? Entries, TransferException? Unknown, ListingShare? Share);
