using Transfer.Engine.Trees;

namespace Transfer.Local;

/// <summary>The items that a <see cref="LocalTreeReader"/> reads, and the bounds.</summary>
public sealed record LocalTreeOptions
{
    /// <summary>The items that are read, as in a transfer of the directory; null: all.</summary>
    public TransferFilter? Filter { get; init; }

    /// <summary>The only items that are read, by their paths relative to the directory, with forward slashes; null: all.</summary>
    public IReadOnlyCollection<string>? Only { get; init; }

    /// <summary>The items that are not read, by their paths relative to the directory, with forward slashes; null: none.</summary>
    public IReadOnlySet<string>? Without { get; init; }

    /// <summary>The handling of symbolic links.</summary>
    public LinkHandling Links { get; init; } = LinkHandling.Skip;

    /// <summary>Whether a file or a link is finished already, and therefore left out; null: none is. Called in the order of the
    /// items.</summary>
    public Func<LocalTreeItem, bool>? IsFinished { get; init; }

    /// <summary>
    /// The most directories that are entered through links (<see cref="LinkHandling.Follow"/>): links to each other's directories make
    /// ever more paths out of few directories.
    /// Each further directory is an item that failed (<see cref="TransferError.Unsupported"/>).
    /// </summary>
    public int MaxFollowedDirectories { get; init; } = WalkBounds.UsualMostFollowed;

    /// <summary>
    /// The most memory, in bytes, for directories that are known and not read yet, about 0.3 KB each. A directory beyond that is an item
    /// that failed (<see cref="TransferError.Partial"/>).
    /// </summary>
    public long MaxListingBytes { get; init; } = 128 << 20;
}
