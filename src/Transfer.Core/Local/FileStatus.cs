using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// The system's description of a local file, directory or link, from one call: statx(2) on Linux. .NET makes a call for each property, a
/// good part of the work with many small files.
/// </summary>
public readonly record struct FileStatus
{
    /// <summary>The length in bytes.</summary>
    public long Length { get; init; }

    /// <summary>The time of the last modification, in ticks of UTC.</summary>
    public long ModifiedTicks { get; init; }

    /// <summary>The time of the last modification.</summary>
    public DateTime Modified => new(ModifiedTicks, DateTimeKind.Utc);

    /// <summary>
    /// The time of the last change of any kind, by the system's clock, in ticks of UTC (st_ctime); 0: not known. Programs set
    /// <see cref="ModifiedTicks"/> as they like, and this one not at all.
    /// </summary>
    internal long ChangedTicks { get; init; }

    /// <summary>The permissions; none on Windows.</summary>
    public UnixFileMode Mode { get; init; }

    /// <summary>The number of the group; null: not known.</summary>
    internal uint? Group { get; init; }

    /// <summary>A regular file, a directory, a link (where none was followed), or something else.</summary>
    public RemoteEntryType Type { get; init; }

    /// <summary>The number of the file system; 0: not known.</summary>
    public ulong Device { get; init; }

    /// <summary>The number of the entry in the file system (st_ino); 0: not known.</summary>
    internal ulong Number { get; init; }

    /// <summary>Whether the entry is a regular file, and no directory, pipe or device. Also true of an open file where the system reports
    /// no type.</summary>
    public bool IsRegular => Type == RemoteEntryType.File;

    /// <summary>Whether the entry is a folder.</summary>
    internal bool IsFolder => Type == RemoteEntryType.Directory;

    /// <summary>Whether the entry is a symbolic link.</summary>
    internal bool IsLink => Type == RemoteEntryType.Link;

    /// <summary>The stamp that identifies this state of the file.</summary>
    public SourceStamp Stamp => new(Length, ModifiedTicks);

    /// <summary>Describes an open file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="path">The path of the file.</param>
    /// <exception cref="IOException">The system cannot.</exception>
    public static FileStatus Of(SafeFileHandle file, string path)
    {
        DiskFaults.Check(DiskCall.Status, path);
        return TryRead(file) ?? OfOpen(file);
    }

    private static FileStatus OfOpen(SafeFileHandle file) => new()
    {
        Length = RandomAccess.GetLength(file),
        ModifiedTicks = File.GetLastWriteTimeUtc(file).Ticks,
        Mode = OperatingSystem.IsWindows() ? UnixFileMode.None : File.GetUnixFileMode(file),
        Type = RemoteEntryType.File,
    };

    /// <summary>Describes the entry at a path; null: the path leads to nothing.</summary>
    /// <param name="path">The path.</param>
    /// <param name="follow">Whether to describe the target of a link, and not the link.</param>
    /// <exception cref="IOException">The system fails for another reason than absence.</exception>
    /// <exception cref="UnauthorizedAccessException">A folder of the path may not be searched.</exception>
    public static FileStatus? Find(string path, bool follow)
    {
        if (OperatingSystem.IsWindows())
        {
            DiskFaults.Check(DiskCall.Status, path);
            return OfWindows(path, follow);
        }
        Span<byte> status = stackalloc byte[Statx.Length];
        var errno = DiskFaults.Of(DiskCall.Status, path) is not 0 and var scripted ? scripted : Statx.IsSupported
            ? Statx.TryRead(path, follow, status) : Errno.NotImplemented;
        if (errno == 0) return Statx.Read(status);
        if (errno == Errno.NotImplemented)
        {
            (errno, var portable) = PortableStatus.TryRead(path, follow);
            if (errno == 0) return portable;
        }
        return errno is Errno.NotFound or Errno.NotFolder ? null : throw Errno.ToException(errno, path);
    }

    /// <summary>As <see cref="Find"/>; null also where the system fails.</summary>
    public static FileStatus? TryFind(string path, bool follow)
    {
        try
        {
            return Find(path, follow);
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return null;
        }
    }

    /// <summary>The number of the file system of a path, behind links; 0: not known.</summary>
    internal static ulong DeviceOf(string path) => TryFind(path, follow: true)?.Device ?? 0;

    /// <summary>Whether nothing has that name, no link either. False: something has, or the system cannot determine that.</summary>
    internal static bool IsAbsent(string path)
    {
        try
        {
            return Find(path, follow: false) is null;
        }
        catch (Exception e) when (LocalErrors.IsLocal(e))
        {
            return false;
        }
    }

    // Null: neither call exists, or works on that file. Then .NET's call reports why.
    private static FileStatus? TryRead(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows()) return null;
        if (!Statx.IsSupported) return PortableStatus.TryRead(file);
        Span<byte> status = stackalloc byte[Statx.Length];
        return Statx.TryRead(file, status) == 0 ? Statx.Read(status) : null;
    }

    // Only links have targets: other reparse points appear as files or folders.
    private static FileStatus? OfWindows(string path, bool follow)
    {
        FileSystemInfo info = Directory.Exists(path) ? new DirectoryInfo(path) : new FileInfo(path);
        if (info.LinkTarget is not null)
        {
            if (!follow) return new() { Length = -1, ModifiedTicks = info.LastWriteTimeUtc.Ticks, Type = RemoteEntryType.Link };
            if (info.ResolveLinkTarget(returnFinalTarget: true) is not { Exists: true } end) return null;
            info = end;
        }
        if (!info.Exists) return null;
        return new()
        {
            Length = info is FileInfo file ? file.Length : -1,
            ModifiedTicks = info.LastWriteTimeUtc.Ticks,
            Type = info is DirectoryInfo ? RemoteEntryType.Directory
                : (info.Attributes & FileAttributes.Device) == 0 ? RemoteEntryType.File : RemoteEntryType.Other,
        };
    }
}
