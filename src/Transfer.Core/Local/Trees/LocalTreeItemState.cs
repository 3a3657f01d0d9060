namespace Transfer.Local;

/// <summary>The state of an item of a <see cref="LocalTreeReader"/>.</summary>
public enum LocalTreeItemState
{
    /// <summary>The item is part of the tree.</summary>
    Found,

    /// <summary>
    /// The item is left out: neither a file nor a directory, or a link that is skipped, leads to nothing or leads round in circles, or an
    /// unfinished file or directory of a transfer.
    /// </summary>
    LeftOut,

    /// <summary>The item is left out because of <see cref="LocalTreeOptions.IsFinished"/>.</summary>
    Finished,

    /// <summary>The item cannot be read; <see cref="LocalTreeItem.Error"/> is the reason. Of a directory nothing more follows.</summary>
    Failed,
}
