using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>What is known of what the target has in one directory.</summary>
internal sealed class TargetSide
{
    /// <summary>What the target has in it, while that is known and asked for; null: not known.</summary>
    public IReadOnlyDictionary<string, TreeEntry>? Existing { get; set; }

    /// <summary>
    /// Names that the target lists in another of Unicode's forms, so that another spelling there may be the same file too; null: none.
    /// </summary>
    public HashSet<string>? Adopted { get; set; }

    /// <summary>Those of its directories that both sides have, as the target lists them; null: nobody asks.</summary>
    public List<TreeEntry>? Directories { get; set; }

    /// <summary>What is known of <see cref="Directories"/>, by name, once that was asked.</summary>
    public Task<Dictionary<string, DirectoryProof>>? Proofs { get; set; }
}
