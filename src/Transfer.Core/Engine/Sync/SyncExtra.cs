using Transfer.Engine.Trees;
using Transfer.Names;
using Transfer.Sessions;

namespace Transfer.Engine.Sync;

/// <summary>What only the target has.</summary>
/// <param name="Directory">Where it is.</param>
/// <param name="Entry">What it is.</param>
/// <param name="Proof">Why it is not taken for the directory that a listing calls it; null: no listing does.</param>
internal readonly record struct SyncExtra(PlannedDirectory Directory, TreeEntry Entry, DirectoryProof? Proof = null)
{
    /// <summary>Its path relative to the job's folder, in a directory that may have another name at the target.</summary>
    public ItemPath Item => ItemPath.Of(Directory.PathOf(Entry.Name), Directory.PathThere(Entry.Name));
}
