namespace Transfer.Batch;

/// <summary>
/// When received files are safe against a power cut: an archive is confirmed to its sender after that, with <see cref="None"/> before. On the disk are then the files
/// and, but for Windows, the entries of the folders that they are in and of those that were made for them.
/// </summary>
public enum Durability
{
    /// <summary>
    /// Once an archive, in whichever way costs less: as <see cref="FileSystem"/>, or as <see cref="File"/> where others have much on its way to the disks (128 MiB and
    /// more), for which an archive would have to wait. Elsewhere than on Linux as <see cref="File"/>. What each of them costs is measured in docs/batch.md.
    /// </summary>
    Archive,

    /// <summary>Once for all archives that are ready, with whatever others have written to their file systems: syncfs(2). Elsewhere than on Linux as <see cref="File"/>.</summary>
    FileSystem,

    /// <summary>Every file on its own, on Linux many at once when their archive is whole; elsewhere each when it is written.</summary>
    File,

    /// <summary>When the system gets to it, as with rsync, tar and scp: what was confirmed within about half a minute before a power cut may be gone.</summary>
    None,
}
