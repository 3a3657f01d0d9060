namespace Transfer.Engine.Trees;

/// <summary>What one directory has.</summary>
/// <param name="Existing">What the target has there, where that is known.</param>
/// <param name="Error">Why nothing can be written there.</param>
/// <param name="Next">Gets the directories.</param>
/// <param name="Files">Gets the files.</param>
internal sealed record FoundEntries(Dictionary<string, TreeEntry>? Existing, TransferException? Error, List<PlannedDirectory> Next, List<TreeEntry> Files)
{
    public List<TreeEntry> Links { get; } = [];

    /// <summary>Names at the target of which it is not known whether they are there; null: there are none.</summary>
    public Dictionary<string, TransferException>? Unknown { get; init; }

    public TreeEntry? There(string name) => Existing is not null && Existing.TryGetValue(name, out var there) ? there : null;
}
