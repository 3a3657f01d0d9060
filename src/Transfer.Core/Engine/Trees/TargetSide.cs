using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>The target's side of one directory, as far as known.</summary>
internal sealed class TargetSide
{
    /// <summary>The target's entries, while known and needed; null: not known.</summary>
    public IReadOnlyDictionary<string, TreeEntry>? Existing { get; set; }

    /// <summary>Whether the target's listing is complete, and so proves absence.</summary>
    public bool IsKnown { get; set; }

    /// <summary>Whether the target's listing may lack names that begin with a dot.</summary>
    public bool MayHideDots { get; set; }

    /// <summary>
    /// Names that the target lists in another spelling, so that another spelling there may be the same file; null: none.
    /// </summary>
    public HashSet<string>? Adopted { get; set; }

    /// <summary>The child directories that both sides have, as the target lists them; null: not needed.</summary>
    public List<TreeEntry>? Directories { get; set; }

    /// <summary>
    /// In a plan: the first of the source's names that may be one with another at some target, by each of these names; null: none.
    /// </summary>
    public IReadOnlyDictionary<string, string>? Twins { get; set; }

    /// <summary>The source's names of which the target has several as one; null: none, or not known.</summary>
    public HashSet<string>? Merged { get; set; }

    /// <summary>The proofs of <see cref="Directories"/>, by name, once requested.</summary>
    public Task<Dictionary<string, DirectoryProof>>? Proofs { get; set; }
}
