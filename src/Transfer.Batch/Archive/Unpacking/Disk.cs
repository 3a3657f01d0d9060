using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>What the systems can do to bring things to the disk, and .NET does not. Nothing of it is for Windows.</summary>
internal static class Disk
{
    // open(2). Not waiting is for what is no file any more: a pipe would wait for its other end.
    private const int CloseOnExec = 0x80000;
    private const int NonBlocking = 0x800;
    private const int CloseOnExecMac = 0x1000000;
    private const int NonBlockingMac = 0x4;

    // statx(2): one layout for all processors. The numbers of the device are always given.
    private const int CurrentFolder = -100;
    private const int StatusLength = 256;
    private const int MajorAt = 136;
    private const int MinorAt = 140;

    /// <summary>The number of the file system that something is on, behind a link where it leads to; 0: unknown.</summary>
    public static ulong DeviceOf(string path)
    {
        if (!OperatingSystem.IsLinux()) return 0;
        var status = new byte[StatusLength];
        try
        {
            if (Status(CurrentFolder, Encode(path), 0, 0, status) != 0) return 0;
        }
        catch (EntryPointNotFoundException)
        {
            // An old C library: what is on unknown file systems is flushed on its own.
            return 0;
        }
        return (ulong)BitConverter.ToUInt32(status, MajorAt) << 32 | BitConverter.ToUInt32(status, MinorAt);
    }

    /// <summary>Opens a file or a folder, which .NET opens not, to be flushed. Null: it can't be, for the reason that is the last error.</summary>
    public static SafeFileHandle? Open(string path)
    {
        var descriptor = Open(Encode(path), OperatingSystem.IsMacOS() ? CloseOnExecMac | NonBlockingMac : CloseOnExec | NonBlocking);
        return descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
    }

    /// <summary>Brings a file or a folder to the disk; 0, or the error's number.</summary>
    public static int Flush(SafeFileHandle handle) => Sync(handle) == 0 ? 0 : Marshal.GetLastPInvokeError();

    /// <summary>Brings all of a file system to its disk: Linux only.</summary>
    public static int FlushFileSystem(SafeFileHandle handle) => SyncFileSystem(handle) == 0 ? 0 : Marshal.GetLastPInvokeError();

    /// <summary>What to throw for an error's number.</summary>
    public static TransferException Failure(string path, int errno) =>
        new(LocalErrors.FromErrno(errno), $"Cannot make {path} safe: {Marshal.GetPInvokeErrorMessage(errno)}.");

    private static byte[] Encode(string path) => Encoding.UTF8.GetBytes(path + '\0');

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
    private static extern int Status(int folder, byte[] path, int flags, uint wanted, byte[] status);
}
