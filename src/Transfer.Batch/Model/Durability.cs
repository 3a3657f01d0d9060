namespace Transfer.Batch;

/// <summary>
/// When received files are safe against a power cut: an archive is confirmed to the sender after that, with <see cref="None"/> before. The
/// files are then on the disk, and, except on Windows, so are the entries of their folders and of the folders that were created.
/// </summary>
public enum Durability
{
    /// <summary>
    /// Once an archive, by the cheaper way: as <see cref="FileSystem"/>, or as <see cref="File"/> when other programs have much data on its
    /// way to the disks (128 MiB and more), for which an archive would have to wait. As <see cref="File"/> on systems other than Linux. The
    /// costs of both are measured in docs/batch.md.
    /// </summary>
    Archive,

    /// <summary>Once for all archives that are ready, by syncfs(2), which also writes the data of other programs on the file systems. As
    /// <see cref="File"/> on systems other than Linux.</summary>
    FileSystem,

    /// <summary>Every file on its own, on Linux many at once when their archive is complete; on other systems each file once
    /// written.</summary>
    File,

    /// <summary>When the system writes the data, as with rsync, tar and scp: files confirmed within about half a minute before a power cut
    /// may be gone.</summary>
    None,
}
