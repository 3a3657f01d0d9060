using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>Brings things to the disk. What .NET can't do of it is not for Windows.</summary>
internal static class Disk
{
    // open(2). Not waiting is for what is no file any more: a pipe would wait for its other end.
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const int CloseOnExecMac = 0x1000000;
    private const int NonBlockingMac = 0x4;

    // Of file systems that know no such thing, and of names that are something else by now. The numbers are the same everywhere.
    private const int Enoent = 2;
    private const int Eacces = 13;
    private const int Einval = 22;
    private static readonly int Enosys = OperatingSystem.IsLinux() ? 38 : 78;

    // Folders of network file systems, where the system is macOS.
    private static readonly int Enotsup = OperatingSystem.IsLinux() ? 95 : 45;

    // statx(2): one layout for all processors. The numbers of the device are always given.
    private const int CurrentFolder = -100;
    private const int FollowsNoLink = 0x100;
    private const int StatusLength = 256;
    private const int MajorAt = 136;
    private const int MinorAt = 140;

    /// <summary>Hears of each file and folder that is on the disk now; for tests.</summary>
    internal static event Action<string>? Flushed;

    /// <summary>The number of the file system that something is on, behind a link where it leads to; 0: unknown.</summary>
    public static ulong DeviceOf(string path)
    {
        if (!OperatingSystem.IsLinux()) return 0;
        Span<byte> status = stackalloc byte[StatusLength];
        try
        {
            if (Status(CurrentFolder, Encode(path), 0, 0, ref MemoryMarshal.GetReference(status)) != 0) return 0;
        }
        catch (EntryPointNotFoundException)
        {
            // An old C library: what is on unknown file systems is flushed on its own.
            return 0;
        }
        return (ulong)MemoryMarshal.Read<uint>(status[MajorAt..]) << 32 | MemoryMarshal.Read<uint>(status[MinorAt..]);
    }

    /// <summary>Nothing has that name, no link either, found out in one call: .NET takes three. False: something has it, or it is not known.</summary>
    public static bool IsAbsent(string path)
    {
        if (!OperatingSystem.IsLinux()) return false;
        Span<byte> status = stackalloc byte[StatusLength];
        try
        {
            return Status(CurrentFolder, Encode(path), FollowsNoLink, 0, ref MemoryMarshal.GetReference(status)) != 0 && Marshal.GetLastPInvokeError() == Enoent;
        }
        catch (EntryPointNotFoundException)
        {
            return false;
        }
    }

    /// <summary>Opens a file, which nothing locks by that, or a folder, which .NET opens not, to be flushed or read. Null: it can't be, for the reason that is the last error.</summary>
    public static SafeFileHandle? Open(string path)
    {
        var descriptor = Open(Encode(path), OperatingSystem.IsMacOS() ? CloseOnExecMac | NonBlockingMac : CloseOnExec | NonBlocking);
        return descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
    }

    /// <summary>Brings a file's content to the disk, and what else is known of it.</summary>
    /// <exception cref="IOException">The disk fails.</exception>
    public static void FlushFile(SafeFileHandle handle, string path)
    {
        RandomAccess.FlushToDisk(handle);
        Flushed?.Invoke(path);
    }

    /// <summary>Brings a folder's entries to the disk, where the system lets it: Windows keeps them itself, and what may not be read can't be flushed.</summary>
    /// <exception cref="TransferException">The disk fails.</exception>
    public static void FlushFolder(string path)
    {
        if (OperatingSystem.IsWindows()) return;
        using var handle = Open(path);
        var errno = handle is null ? Marshal.GetLastPInvokeError() : Flush(handle);
        if (errno == 0) Flushed?.Invoke(path);
        else if (errno != Eacces && !IsUnfit(errno)) throw Failure(path, errno);
    }

    /// <summary>An error says no more than that there is nothing to flush, or no such thing as flushing.</summary>
    public static bool IsUnfit(int errno) => errno == Einval || errno == Enosys || errno == Enotsup;

    /// <summary>Brings a file or a folder to the disk; 0, or the error's number.</summary>
    public static int Flush(SafeFileHandle handle) => Sync(handle) == 0 ? 0 : Marshal.GetLastPInvokeError();

    /// <summary>Brings all of a file system to its disk: Linux only.</summary>
    public static int FlushFileSystem(SafeFileHandle handle) => SyncFileSystem(handle) == 0 ? 0 : Marshal.GetLastPInvokeError();

    /// <summary>What to throw for an error's number.</summary>
    public static TransferException Failure(string path, int errno) =>
        new(LocalErrors.FromErrno(errno), $"Cannot make {path} safe: {Marshal.GetPInvokeErrorMessage(errno)}.");

    /// <summary>A path as the system's own calls take it.</summary>
    public static byte[] Encode(string path) => Encoding.UTF8.GetBytes(path + '\0');

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "fsync", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Sync(SafeFileHandle handle);

    [DllImport("libc", EntryPoint = "syncfs", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SyncFileSystem(SafeFileHandle handle);

    [DllImport("libc", EntryPoint = "statx", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Status(int folder, byte[] path, int flags, uint wanted, ref byte status);
}
