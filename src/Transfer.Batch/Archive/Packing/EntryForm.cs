using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Packing;

/// <summary>How entries are written for a host that unpacks them by a command.</summary>
internal sealed record EntryForm
{
    /// <summary>The permissions of a folder's owner: other commands write files there, and renames move them away.</summary>
    public const UnixFileMode Owners = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>The mode of files; null: their mode here.</summary>
    public required UnixFileMode? FileMode { get; init; }

    /// <summary>The mode of folders; null: their mode here, with all permissions of the owner.</summary>
    public required UnixFileMode? FolderMode { get; init; }

    /// <summary>The permissions to remove, where neither mode is set: the host's command applies no umask.</summary>
    public UnixFileMode Umask { get; init; }

    /// <summary>Whether times are cut to seconds: a finer time needs an extended header, which is a tenth of a small file.</summary>
    public bool WholeSeconds { get; init; }

    /// <summary>Whether names are written as bytes, and long ones in GNU's way.</summary>
    public bool RawNames { get; init; }

    /// <summary>Whether the stream marks files that changed while being packed.</summary>
    public bool MarksChanged { get; init; } = true;

    public TarEntry Apply(TarEntry entry) => entry with
    {
        Mode = entry.Type switch
        {
            TarEntryType.File => FileMode ?? entry.Mode & ~Umask,
            TarEntryType.Directory =>
            FolderMode ?? entry.Mode & ~Umask | Owners,
            _ => entry.Mode
        },
        Modified = WholeSeconds ? entry.Modified.AddTicks(-(entry.Modified.Ticks % TimeSpan.TicksPerSecond)) : entry.Modified,
        Created = WholeSeconds ? null : entry.Created,
    };
}
