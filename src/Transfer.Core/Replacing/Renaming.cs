using Transfer.Sessions;

namespace Transfer.Replacing;

/// <summary>A file or folder that is to have another path.</summary>
/// <param name="From">The present path, absolute.</param>
/// <param name="To">The new path, absolute; its folder exists.</param>
public sealed record Renaming(string From, string To)
{
    /// <summary>Whether an existing file at <see cref="To"/> may be replaced. A folder is never replaced, and replaces nothing.</summary>
    public bool Replace { get; init; }

    /// <summary>
    /// Whether <see cref="From"/> is a complete temporary file of this client, known to exist: renamed without a look at either name, and
    /// deleted if the rename fails.
    /// </summary>
    public bool IsTemporary { get; init; }

    /// <summary>
    /// Whether <see cref="From"/> is a link. A file that may be the one to which the link leads is not replaced: of a link to itself no
    /// content would be left.
    /// </summary>
    public bool IsLink { get; init; }

    /// <summary>The sight of the file to which the link leads; null: not known.</summary>
    public NameSight? LinkEnd { get; init; }

    /// <summary>Whether <see cref="From"/> is a directory; false: not known to be one.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>The metadata to set on the file before the rename, or null.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>The result of a look at <see cref="To"/> a moment ago; null: no look.</summary>
    public NameSight? TargetSeen { get; init; }

    /// <summary>
    /// Whether <see cref="To"/> must be seen before a rename that may not replace: no look was made before the file was written, and not
    /// every server refuses to replace. A target that cannot be seen may be a file, and stays.
    /// </summary>
    public bool MustSeeTarget { get; init; }

    /// <summary>The length of the file in bytes, where known.</summary>
    public long? Length { get; init; }

    /// <summary>The modification time of the file, where known and kept by the server.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>Whether the rename was sent on a session that was lost: it may have been done, or may still be.</summary>
    public bool InDoubt { get; init; }

    /// <summary>
    /// Whether a rename that may not replace is a hard link and a deletion of the old name: a session lost in between leaves both names.
    /// </summary>
    public bool IsByLink { get; init; }

    /// <summary>In doubt: the paths to which lost sessions may have moved files; default: none.</summary>
    public RenamingTrace Trace { get; init; }

    /// <summary>
    /// Whether a rename that is refused for now is repeated: a temporary file then stays for that, and its deletion is the caller's.
    /// </summary>
    internal bool IsRepeated { get; init; }

    /// <summary>Whether the file stays under its present name behind this error.</summary>
    internal bool Stays(TransferException error) => !IsTemporary || IsRepeated && error is { IsTransient: true, Kept.Count: 0 };

    /// <summary>Names and records the files that are moved aside.</summary>
    public IAsideLog Asides { get; init; } = AsideNames.Unrecorded;
}
