using Transfer.Local;

namespace Transfer.Engine.Trees;

/// <summary>The entries of one directory.</summary>
/// <param name="Existing">The target's entries, where known.</param>
/// <param name="Error">Why the directory cannot be written to, or null.</param>
/// <param name="Next">Receives the directories.</param>
/// <param name="Files">Receives the files.</param>
internal sealed record FoundEntries(Dictionary<string, TreeEntry>? Existing, TransferException? Error, List<PlannedDirectory> Next,
    List<TreeEntry> Files)
{
    public List<TreeEntry> Links { get; } = [];

    /// <summary>Names that may exist at the target, with the reason for the doubt; null: none.</summary>
    public Dictionary<string, TransferException>? Unknown { get; init; }

    private HashSet<string>? _spellings;

    /// <summary>Returns whether the target lists a name in another spelling only, by which it may find the name all the same.</summary>
    public bool HasOtherSpelling(string name) =>
        Existing is { Count: > 0 } && !Existing.ContainsKey(name)
        && (_spellings ??= new(Existing.Keys, LocalNames.Lenient)).Contains(name);

    public TreeEntry? There(string name) => Existing is not null && Existing.TryGetValue(name, out var there) ? there : null;
}
