namespace Transfer.Local;

/// <summary>What a <see cref="LocalTreeReader"/> says of an item.</summary>
public enum LocalTreeItemState
{
    /// <summary>The item is part of the tree.</summary>
    Found,

    /// <summary>
    /// The item is left out: it is neither a file nor a directory, or a link that is skipped, leads to nothing or leads round in circles,
    /// or an unfinished file or directory of a transfer.
    /// </summary>
    LeftOut,

    /// <summary>The item is left out because <see cref="LocalTreeOptions.IsFinished"/> says so.</summary>
    Finished,

    /// <summary>The item cannot be read; <see cref="LocalTreeItem.Error"/> says why. Of a directory nothing more follows.</summary>
    Failed,
}
