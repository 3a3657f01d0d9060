namespace Transfer.Engine.Trees;

/// <summary>The folder that a job reads.</summary>
internal interface ISourceTree : IFolderTree
{
    /// <summary>The full path of an entry, for messages and for work on the entry.</summary>
    /// <param name="relative">The path below the folder.</param>
    string PathOf(string relative);

    /// <summary>The permissions of the folder itself; null: not known.</summary>
    UnixFileMode? RootMode { get; }

    /// <summary>
    /// Returns when a file was last changed in any way, in ticks of UTC, by a clock that no program sets back; 0: not known.
    /// </summary>
    /// <param name="path">The path relative to the folder.</param>
    long ChangedTicks(string path);

    /// <summary>
    /// Returns whether the folder, or one above, shows an entry of a name; false also where that is not known.
    /// </summary>
    ValueTask<bool> ShowsAboveAsync(string name, CancellationToken ct);

    /// <summary>Returns why an entry of a listed name can't be read; null when it can.</summary>
    string? RefuseToRead(string name);

    /// <summary>Follows links of one directory, within the job's folder; one end for each, in order.</summary>
    /// <exception cref="TransferException">This side cannot follow links at all.</exception>
    ValueTask<IReadOnlyList<LinkEnd>> FollowAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);
}
