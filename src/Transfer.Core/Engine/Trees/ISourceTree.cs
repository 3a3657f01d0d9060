namespace Transfer.Engine.Trees;

/// <summary>The folder a job reads.</summary>
internal interface ISourceTree : IFolderTree
{
    /// <summary>The permissions of the folder itself; null: not known.</summary>
    UnixFileMode? RootMode { get; }

    /// <summary>Why something of a name that was listed can't be read; null: it can.</summary>
    string? RefuseToRead(string name);

    /// <summary>Follows links of one directory, within the job's folder; one end for each, in order.</summary>
    /// <exception cref="TransferException">That can't be done here at all.</exception>
    ValueTask<IReadOnlyList<LinkEnd>> FollowAsync(string directory, IReadOnlyList<TreeEntry> links, CancellationToken ct);
}
