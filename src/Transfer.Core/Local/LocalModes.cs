using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>The permissions of local files. Windows has none of that kind.</summary>
public static class LocalModes
{
    private const string Status = "/proc/self/status";
    private const string Field = "Umask:";

    /// <summary>What this process takes from the permissions of new files. It is read once.</summary>
    public static UnixFileMode Umask { get; } = FindUmask();

    /// <summary>Gives a finished file its permissions, before it gets its name.</summary>
    /// <param name="file">The file, open.</param>
    /// <param name="path">Its path at present.</param>
    /// <param name="target">The name that it is to get.</param>
    /// <param name="replaces">Something may have that name, which is replaced.</param>
    /// <param name="exact">Permissions that were asked for by name; null: none were.</param>
    /// <param name="source">The permissions of its source; null: not known.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void Settle(SafeFileHandle file, string path, string target, bool replaces, UnixFileMode? exact, UnixFileMode? source)
    {
        if (OperatingSystem.IsWindows()) return;
        var now = FileStatus.Of(file, path);
        if (FinalMode.Decide(exact, exact is null && replaces ? ReplacedBy(now, target) : null, source, Umask) is { } mode && mode != now.Mode) Set(file, path, mode);
    }

    /// <summary>Gives a finished file its permissions by its path.</summary>
    /// <param name="path">Its path at present.</param>
    /// <param name="replaced">The path of what it replaces, where that is there; null: it replaces nothing.</param>
    /// <param name="exact">Permissions that were asked for by name; null: none were.</param>
    /// <param name="source">The permissions of its source; null: not known.</param>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void Settle(string path, string? replaced, UnixFileMode? exact, UnixFileMode? source)
    {
        // What has its name already had its permissions before.
        if (OperatingSystem.IsWindows() || FileStatus.Find(path, follow: false) is not { IsRegular: true } now) return;
        var mode = FinalMode.Decide(exact, exact is not null || replaced is null ? null : ReplacedBy(now, replaced), source, Umask).GetValueOrDefault();
        if (mode != now.Mode) Check(DiskFiles.TrySetMode(path, mode), path);
    }

    // What may not be looked at may be closed to others: then the file fails. A link that leads to nothing, or round in circles, closes nothing.
    private static ReplacedFile? ReplacedBy(in FileStatus file, string target)
    {
        try
        {
            return FileStatus.Find(target, follow: true) is { IsFolder: false } there ? new(there.Mode, there.Group is { } group && group == file.Group) : null;
        }
        catch (IOException e) when (e.HResult == Errno.LinkLoop)
        {
            return null;
        }
    }

    /// <summary>Makes an unfinished file its owner's alone (0600), which an earlier run may have left open to others.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    public static void Close(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsWindows() && FileStatus.Of(file, path).Mode != FinalMode.Unfinished) Set(file, path, FinalMode.Unfinished);
    }

    /// <summary>Takes set-user-id and the like from an existing file that is written under its own name: they were given to another content.</summary>
    /// <exception cref="IOException">The system refuses.</exception>
    internal static void TakeSpecialBits(SafeFileHandle file, string path)
    {
        if (!OperatingSystem.IsWindows() && FileStatus.Of(file, path).Mode is var mode && (mode & ~FinalMode.Permissions) != 0) Set(file, path, mode & FinalMode.Permissions);
    }

    // File systems without permissions refuse some, or all: the file is this user's own, so that nothing else can be the reason.
    private static void Set(SafeFileHandle file, string path, UnixFileMode mode) => Check(DiskFiles.TrySetMode(file, path, mode), path);

    private static void Check(int errno, string path)
    {
        if (errno != 0 && errno != Errno.NotPermitted && !Disk.IsUnfit(errno)) throw Errno.ToException(errno, path);
    }

    private static UnixFileMode FindUmask()
    {
        if (OperatingSystem.IsWindows()) return UnixFileMode.None;
        if (OperatingSystem.IsLinux() && ReadUmask() is { } read) return read;
        // There is no way to look at it but to set it. A file that another thread makes at this moment is its owner's alone.
        var umask = Libc.SetUmask((uint)(FinalMode.Permissions & ~(FinalMode.Unfinished | UnixFileMode.UserExecute)));
        _ = Libc.SetUmask(umask);
        return (UnixFileMode)umask & FinalMode.Permissions;
    }

    // Null: kernels before 4.7 do not tell.
    private static UnixFileMode? ReadUmask()
    {
        if (!File.Exists(Status)) return null;
        var line = File.ReadLines(Status).FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal));
        return line is null ? null : (UnixFileMode)Convert.ToInt32(line[Field.Length..].Trim(), 8) & FinalMode.Permissions;
    }
}
