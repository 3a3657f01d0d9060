using Transfer.Sessions;

namespace Transfer.Replacing;

/// <summary>A file or folder that is to have another path.</summary>
/// <param name="From">The present path, absolute.</param>
/// <param name="To">The path to be had, absolute; its folder exists.</param>
public sealed record Renaming(string From, string To)
{
    /// <summary>An existing file at <see cref="To"/> may be replaced. A folder is never replaced, and replaces nothing.</summary>
    public bool Replace { get; init; }

    /// <summary>
    /// <see cref="From"/> is a temporary file of ours, whole, and known to be there: it is renamed without a look at either name, and deleted when it cannot have its name.
    /// </summary>
    public bool IsTemporary { get; init; }

    /// <summary>What is set on the file before it is renamed, or null.</summary>
    public FileMetadata? Metadata { get; init; }

    /// <summary>What was found at <see cref="To"/> a moment ago; null: nobody looked.</summary>
    public NameSight? TargetSeen { get; init; }

    /// <summary>
    /// What is at <see cref="To"/> must be known before the rename, where it may not be replaced: no look was made before the file was written, and not every server refuses to replace. What cannot be seen may be a file,
    /// and stays.
    /// </summary>
    public bool MustSeeTarget { get; init; }

    /// <summary>The length of the file in bytes, where it is known.</summary>
    public long? Length { get; init; }

    /// <summary>The modification time that the file has, where it is known and kept by the server.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>The rename was asked for on a session that was lost: it may have been done, or may still be.</summary>
    public bool InDoubt { get; init; }

    /// <summary>In doubt: where lost sessions may have moved files; default: nowhere.</summary>
    public RenamingTrace Trace { get; init; }

    /// <summary>Names and remembers the files that are moved aside.</summary>
    public IAsideLog Asides { get; init; } = AsideNames.Unrecorded;
}
