using Transfer.Sessions;

namespace Transfer.Engine.Trees;

/// <summary>The content of a folder that a <see cref="TreePass"/> has visited.</summary>
/// <param name="Entries">The entries to handle.</param>
/// <param name="Folders">The child folders to visit.</param>
internal sealed record PassContent(IReadOnlyList<PassEntry> Entries, IReadOnlyList<RemoteEntry> Folders)
{
    /// <summary>The proof of the folder, where the listing had to give one; null: it had not.</summary>
    public DirectoryProof? Proof { get; init; }

    /// <summary>Whether <see cref="Folders"/> are proved to be no links; else each is proved when it is visited.</summary>
    public bool IsProved { get; init; }

    /// <summary>For a folder that is none: the entry to handle in its place; null: nothing is to be done.</summary>
    public PassEntry? Instead { get; init; }

    /// <summary>Why the listing lacks entries, and another visit may find more; null: complete.</summary>
    public TransferException? Gap { get; init; }

    /// <summary>Whether the listing may lack entries without notice.</summary>
    public bool MayLack { get; init; }

    /// <summary>The paths in a listing with a gap, for the next visit; null: no gap.</summary>
    public HashSet<string>? Named { get; init; }
}
