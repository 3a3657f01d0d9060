namespace Transfer.Local;

/// <summary>A local file, whatever its names: the numbers of the file system and of the file there (st_dev, st_ino).</summary>
/// <param name="Device">The number of the file system.</param>
/// <param name="Number">The number of the file.</param>
/// <param name="ChangedTicks">The time of the last change of any kind (st_ctime), in ticks of UTC; 0: does not matter.</param>
internal readonly record struct FileIdentity(ulong Device, ulong Number, long ChangedTicks)
{
    /// <summary>Returns the identity of the entry at a path, of a link itself; null: not known.</summary>
    /// <param name="path">The path.</param>
    /// <param name="unchanged">Whether the file is another one after a change.</param>
    public static FileIdentity? Of(string path, bool unchanged) =>
        FileStatus.TryFind(path, follow: false) is { Number: not 0 } status
            ? new(status.Device, status.Number, unchanged ? status.ChangedTicks : 0) : null;

    /// <summary>Whether an entry is the file.</summary>
    public bool Is(in FileStatus status) => (status.Device, status.Number) == (Device, Number)
        && (ChangedTicks == 0 || status.ChangedTicks == ChangedTicks);
}
