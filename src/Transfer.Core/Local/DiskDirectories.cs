using System.IO.Enumeration;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>Local directories by their paths: see <see cref="DiskFiles"/>.</summary>
public static class DiskDirectories
{
    private const uint Everybody = 0b111_111_111;
    private const uint OwnerAlone = 0b111_000_000;
    private const int MostAttempts = 10;

    private static readonly EnumerationOptions Everything = new()
    {
        AttributesToSkip = 0,
        IgnoreInaccessible = false,
        ReturnSpecialDirectories = false,
        MatchType = MatchType.Simple
    };

    /// <summary>Whether a directory is at a path, behind links too. False also where the system cannot determine that.</summary>
    public static bool Exists(string path) => FileStatus.TryFind(path, follow: true) is { IsFolder: true };

    /// <summary>Creates a directory and those above, where missing.</summary>
    /// <param name="path">The path.</param>
    /// <param name="isPrivate">Whether for this user alone.</param>
    /// <param name="permissions">The permissions of the directory itself, without the bits of the umask; null: those of the directories
    /// above.</param>
    /// <returns>True: this call created the directory.</returns>
    /// <exception cref="IOException">Something else is there, or the system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The directory may not be created.</exception>
    public static bool Create(string path, bool isPrivate = false, UnixFileMode? permissions = null)
    {
        DiskFaults.Check(DiskCall.CreateFolder, path);
        var above = isPrivate ? OwnerAlone : Everybody;
        if (OperatingSystem.IsLinux()) return CreateByBytes(path, (uint?)permissions ?? above, above);
        if (Exists(path)) return false;
        if ((isPrivate || permissions is not null) && !OperatingSystem.IsWindows())
            Directory.CreateDirectory(PlainPath.Of(path), permissions ?? (UnixFileMode)OwnerAlone);
        else Directory.CreateDirectory(PlainPath.Of(path));
        return true;
    }

    /// <summary>Removes an empty folder; on Windows a link to a folder too.</summary>
    /// <exception cref="DirectoryNotFoundException">Nothing is there.</exception>
    /// <exception cref="IOException">The folder is not empty, or no folder, or the system refuses.</exception>
    internal static void Remove(string path)
    {
        DiskFaults.Check(DiskCall.RemoveFolder, path);
        if (!OperatingSystem.IsLinux()) Directory.Delete(PlainPath.Of(path));
        else if (Libc.RemoveFolder(path) != 0) throw Errno.LastException(path, isFolder: true);
    }

    /// <summary>Reads a folder during the enumeration, so that any number of entries is possible; names are decoded by
    /// <see cref="NameEncoding.LosslessUtf8"/>.</summary>
    /// <exception cref="IOException">The folder cannot be read, or an entry cannot be looked at.</exception>
    internal static IEnumerable<FolderEntry> Entries(string path)
    {
        DiskFaults.Check(DiskCall.List, path);
        return OperatingSystem.IsLinux() ? FolderReader.Read(path) : new FileSystemEnumerable<FolderEntry>(path, Describe, Everything);
    }

    /// <summary>Reads the names in a directory during the enumeration; names that are no text are decoded by
    /// <see cref="NameEncoding.LosslessUtf8"/>.</summary>
    /// <exception cref="IOException">The directory cannot be read.</exception>
    public static IEnumerable<string> Names(string path)
    {
        DiskFaults.Check(DiskCall.List, path);
        return OperatingSystem.IsLinux() ? FolderReader.ReadNames(path)
            : new FileSystemEnumerable<string>(path, static (ref entry) => entry.FileName.ToString(), Everything);
    }

    private static bool CreateByBytes(string path, uint mode, uint modeAbove)
    {
        path = Path.TrimEndingDirectorySeparator(path);
        for (var attempt = 1; ; attempt++)
        {
            if (Libc.MakeFolder(path, mode) == 0) return true;
            var errno = Errno.Last;
            // A read-only file system reports that rather than an existing folder.
            if (Exists(path)) return false;
            // The folder above may be missing, or vanish again meanwhile. Where the system makes no folders, as in /proc, that folder is
            // there, and the answer is the same.
            if (errno != Errno.NotFound || attempt == MostAttempts || Path.GetDirectoryName(path) is not { Length: > 0 } above)
                throw Errno.ToException(errno, path, isFolder: true);
            if (!CreateByBytes(above, modeAbove, modeAbove) && !Exists(above)) throw Errno.ToException(errno, path, isFolder: true);
        }
    }

    // Pipes, sockets and devices all look empty: only an empty entry needs the closer look.
    private static FolderEntry Describe(ref FileSystemEntry entry)
    {
        var name = entry.FileName.ToString();
        if ((entry.Attributes & FileAttributes.ReparsePoint) != 0
            && FileStatus.Find(entry.ToFullPath(), follow: false) is { IsLink: true } link)
        {
            return new(name, link);
        }

        var (isFolder, length) = (entry.IsDirectory, entry.IsDirectory ? -1 : entry.Length);
        return new(name, new FileStatus
        {
            Length = length,
            ModifiedTicks = entry.LastWriteTimeUtc.UtcTicks,
            Type = isFolder ? RemoteEntryType.Directory
                : length > 0 || LocalFileType.IsRegular(entry.ToFullPath()) ? RemoteEntryType.File : RemoteEntryType.Other,
        });
    }
}
