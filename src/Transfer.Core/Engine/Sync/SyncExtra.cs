using Transfer.Engine.Trees;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Sync;

/// <summary>An extra entry, which only the target has.</summary>
/// <param name="Directory">The directory of the entry.</param>
/// <param name="Entry">The entry.</param>
/// <param name="Proof">Why an entry that a listing calls a directory does not count as one; null: no listing calls the entry so.</param>
internal readonly record struct SyncExtra(PlannedDirectory Directory, TreeEntry Entry, DirectoryProof? Proof = null)
{
    /// <summary>The paths relative to the job's folder, in a directory that may have another name at the target.</summary>
    public ItemPath Item => ItemPath.Of(Directory.PathOf(Entry.Name), Directory.PathThere(Entry.Name));
}
