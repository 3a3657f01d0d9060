namespace Transfer.Batch.Archive;

/// <summary>
/// When received files are safe against a power cut: an archive is confirmed after that, with <see cref="None"/> before. On the disk are then the files and, but for
/// Windows, the entries of the folders that they are in and of those that were made for them.
/// </summary>
internal enum Durability
{
    /// <summary>
    /// Once an archive, in whichever way costs less: as <see cref="FileSystem"/>, or as <see cref="File"/> where others have much on its way to the disks
    /// (<see cref="Unpacking.DiskFlush.MuchOfOthers"/>), for which an archive would have to wait. Elsewhere than on Linux as <see cref="File"/>. 10,000 files of 10 KB took
    /// 2.5 s, 2.0 s and 3.0 s by the three of them, and 3.4 s, 3.7 s and 4.2 s beside a program that wrote 2 GB (medians of three runs, docs/batch.md).
    /// </summary>
    Archive,

    /// <summary>Once for all archives that are ready, with whatever others have written to their file systems: syncfs(2). Elsewhere than on Linux as <see cref="File"/>.</summary>
    FileSystem,

    /// <summary>Every file on its own, on Linux many at once when their archive is whole; elsewhere each when it is written.</summary>
    File,

    /// <summary>When the system gets to it.</summary>
    None,
}
