namespace Transfer.Engine.Sync;

/// <summary>What only the target has.</summary>
/// <param name="Directory">Where it is.</param>
/// <param name="Entry">What it is.</param>
internal readonly record struct SyncExtra(PlannedDirectory Directory, TreeEntry Entry)
{
    /// <summary>Its path relative to the job's folder, in a directory that may have another name at the target.</summary>
    public ItemPath Item => ItemPath.Of(Directory.PathOf(Entry.Name), Directory.PathThere(Entry.Name));
}
