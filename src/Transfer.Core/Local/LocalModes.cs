using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>The permissions of local files. Windows has none of that kind.</summary>
public static class LocalModes
{
    private const string Status = "/proc/self/status";
    private const string Field = "Umask:";

    /// <summary>The bits that this process removes from the permissions of new files. Read once.</summary>
    public static UnixFileMode Umask { get; } = FindUmask();

    /// <summary>Gives a finished file the final permissions, before the final name.</summary>
    /// <param name="file">The file, open.</param>
    /// <param name="path">The path at present.</param>
    /// <param name="target">The final name.</param>
    /// <param name="replaces">Whether the file may replace one of that name.</param>
    /// <param name="exact">The permissions set in the options; null: none.</param>
    /// <param name="source">The permissions of the source; null: not known.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void SetFinalMode(SafeFileHandle file, string path, string target, bool replaces, UnixFileMode? exact,
        UnixFileMode? source)
    {
        if (OperatingSystem.IsWindows()) return;
        var now = FileStatus.Of(file, path);
        if (FinalMode.Decide(exact, exact is null && replaces ? ReplacedBy(now, target) : null, source, Umask) is { } mode
            && mode != now.Mode)
        {
            Set(file, path, mode);
        }
    }

    /// <summary>Gives a finished file the final permissions by its path.</summary>
    /// <param name="path">The path at present.</param>
    /// <param name="replaced">The path of a file to be replaced, if one exists; null: none is replaced.</param>
    /// <param name="exact">The permissions set in the options; null: none.</param>
    /// <param name="source">The permissions of the source; null: not known.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void SetFinalMode(string path, string? replaced, UnixFileMode? exact, UnixFileMode? source)
    {
        // A file that has the final name already is not at this path, and got the permissions before.
        if (OperatingSystem.IsWindows() || FileStatus.Find(path, follow: false) is not { IsRegular: true } now) return;
        var mode = FinalMode.Decide(exact, exact is not null || replaced is null ? null : ReplacedBy(now, replaced), source,
            Umask).GetValueOrDefault();
        if (mode != now.Mode) Check(DiskFiles.TrySetMode(path, mode), path);
    }

    // A target that may not be looked at may be closed to other users: then the file fails. A link that leads to nothing, or round in
    // circles, closes nothing.
    private static ReplacedFile? ReplacedBy(in FileStatus file, string target)
    {
        try
        {
            return FileStatus.Find(target, follow: true) is { IsFolder: false } there
                ? new(there.Mode, there.Group is { } group && group == file.Group) : null;
        }
        catch (IOException e) when (e.HResult == Errno.LinkLoop)
        {
            return null;
        }
    }

    /// <summary>Restricts an unfinished file to the owner (0600), since an earlier run may have left the file open to other
    /// users.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Close(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsWindows() && FileStatus.Of(file, path).Mode != FinalMode.Unfinished) Set(file, path, FinalMode.Unfinished);
    }

    /// <summary>Removes set-user-id and the like from an existing file that is written under the final name: they were given to another
    /// content.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void ClearSpecialBits(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsWindows() && FileStatus.Of(file, path).Mode is var mode && (mode & ~FinalMode.Permissions) != 0)
            Set(file, path, mode & FinalMode.Permissions);
    }

    // File systems without permissions refuse some, or all: the file is this user's own, so there can be no other reason.
    private static void Set(SafeFileHandle file, string path, UnixFileMode mode) => Check(DiskFiles.TrySetMode(file, path, mode), path);

    private static void Check(int errno, string path)
    {
        if (errno != 0 && errno != Errno.NotPermitted && !Disk.IsFlushUnsupported(errno)) throw Errno.ToException(errno, path);
    }

    private static UnixFileMode FindUmask()
    {
        if (OperatingSystem.IsWindows()) return UnixFileMode.None;
        if (OperatingSystem.IsLinux() && ReadUmask() is { } read) return read;
        // The umask can only be read by setting another. A file that another thread makes at this moment is the owner's alone.
        var umask = Libc.SetUmask((uint)(FinalMode.Permissions & ~(FinalMode.Unfinished | UnixFileMode.UserExecute)));
        _ = Libc.SetUmask(umask);
        return (UnixFileMode)umask & FinalMode.Permissions;
    }

    // Null: kernels before 4.7 do not show the umask.
    private static UnixFileMode? ReadUmask()
    {
        if (!File.Exists(Status)) return null;
        var line = File.ReadLines(Status).FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal));
        return line is null ? null : (UnixFileMode)Convert.ToInt32(line[Field.Length..].Trim(), 8) & FinalMode.Permissions;
    }
}
