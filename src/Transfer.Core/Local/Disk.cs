using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// Flushing and closing that report every error of the system. In .NET, RandomAccess.FlushToDisk and FileStream.Flush return normally where
/// fsync(2) fails with EIO, and Dispose hides the result of close(2), by which network file systems and quotas report failed writes. A
/// failed fsync leaves pages that look clean: a second one succeeds and proves nothing, so that all bytes without an earlier proof have to
/// be written again.
/// </summary>
public static class Disk
{
    /// <summary>Raised for each file and folder that is on the disk now; for tests.</summary>
    internal static event Action<string>? Flushed;

    /// <summary>Opens a file, without a lock, or a folder, which .NET does not open, for flushing or reading; not for Windows. Null: the
    /// reason is the last error.</summary>
    public static SafeFileHandle? Open(string path)
    {
        if (DiskFaults.Of(DiskCall.Open, path) is not 0 and var scripted)
        {
            Marshal.SetLastPInvokeError(scripted);
            return null;
        }
        var descriptor = Libc.Open(path, OpenFlags.CloseOnExec | OpenFlags.NonBlocking, 0);
        return descriptor < 0 ? null : new SafeFileHandle(descriptor, ownsHandle: true);
    }

    /// <summary>Brings a file's content and metadata to the disk.</summary>
    /// <exception cref="IOException">The disk fails: nothing written since the last successful flush is known to be there.</exception>
    public static void FlushFile(SafeFileHandle handle, string path)
    {
        if (OperatingSystem.IsWindows()) Kernel32.Flush(handle, path);
        else if (Flush(handle, path) is not 0 and var errno) throw Errno.ToException(errno, path);
        Flushed?.Invoke(path);
    }

    /// <summary>Brings a folder's entries to the disk, where the system permits: Windows does so itself, and an unreadable folder can't be
    /// flushed.</summary>
    /// <exception cref="TransferException">The disk fails.</exception>
    internal static void FlushFolder(string path)
    {
        if (OperatingSystem.IsWindows()) return;
        using var handle = Open(path);
        var errno = handle is null ? Errno.Last : Flush(handle, path);
        if (errno == 0) Flushed?.Invoke(path);
        else if (errno != Errno.AccessDenied && !IsFlushUnsupported(errno)) throw Failure(path, errno);
    }

    /// <summary>Whether an error means only that there is nothing to flush, or no flushing here.</summary>
    internal static bool IsFlushUnsupported(int errno) =>
        errno == Errno.Invalid || errno == Errno.NotImplemented || errno == Errno.NotSupported;

    /// <summary>Brings a file or a folder to the disk; 0, or the error number. Not for Windows.</summary>
    internal static int Flush(SafeFileHandle handle, string path)
    {
        if (DiskFaults.Of(DiskCall.Flush, path) is not 0 and var scripted) return scripted;
        while (true)
        {
            var errno = OperatingSystem.IsMacOS() ? FlushDrive(handle) : Libc.Sync(handle) == 0 ? 0 : Errno.Last;
            if (errno != Errno.Interrupted) return errno;
        }
    }

    // fsync(2) only where the file system lacks a full flush (network ones mostly): after a failed flush, fsync would succeed.
    private static int FlushDrive(SafeFileHandle handle)
    {
        if (Libc.Control(handle, Libc.FullFlush) == 0) return 0;
        var errno = Errno.Last;
        if (!IsFlushUnsupported(errno) && errno != Errno.NoSuchControl) return errno;
        return Libc.Sync(handle) == 0 ? 0 : Errno.Last;
    }

    /// <summary>Brings all bytes written to a file system to the disk: syncfs(2), Linux only.</summary>
    /// <param name="handle">An open file or directory of the file system.</param>
    /// <param name="path">The path of the handle.</param>
    /// <exception cref="TransferException">The disk fails.</exception>
    public static void FlushFileSystem(SafeFileHandle handle, string path)
    {
        var errno = DiskFaults.Of(DiskCall.Flush, path) is not 0 and var scripted ? scripted : Libc.SyncFileSystem(handle) == 0
            ? 0 : Errno.Last;
        if (errno != 0) throw Failure(path, errno);
    }

    /// <summary>Brings a file or a directory at a path to the disk; not for Windows.</summary>
    /// <returns>False: the entry can't be opened, or the file system does not flush such entries.</returns>
    /// <exception cref="TransferException">The disk fails.</exception>
    public static bool TryFlush(string path)
    {
        using var handle = Open(path);
        if (handle is null) return false;
        var errno = Flush(handle, path);
        if (errno == 0) return true;
        return IsFlushUnsupported(errno) ? false : throw Failure(path, errno);
    }

    /// <summary>Closes a file that was written; close may be the only call that reports a failed write. The handle must not be in
    /// use.</summary>
    /// <exception cref="IOException">The system reports an error. The file is closed all the same.</exception>
    /// <param name="handle">The file.</param>
    /// <param name="path">The path of the file.</param>
    /// <param name="isLocked">Whether <see cref="DiskFiles.Open"/> opened the file: see <see cref="DiskFiles.Release"/>.</param>
    public static void Close(SafeFileHandle handle, string path, bool isLocked = true)
    {
        if (handle.IsClosed || handle.IsInvalid) return;
        if (isLocked) DiskFiles.Unlock(handle);
        var raw = handle.DangerousGetHandle();
        handle.SetHandleAsInvalid();
        if (OperatingSystem.IsWindows())
        {
            Kernel32.Close(raw, path);
            return;
        }
        // Never again after EINTR: the number may be another file's by then. Bytes still to be written (NFS) may be lost.
        var errno = Libc.Close(raw) == 0 ? 0 : Errno.Last;
        if (DiskFaults.Of(DiskCall.Close, path) is not 0 and var scripted) errno = scripted;
        if (errno != 0) throw Errno.ToException(errno, path);
    }

    /// <summary>The exception for an error number.</summary>
    internal static TransferException Failure(string path, int errno) =>
        new(LocalErrorCodes.FromErrno(errno), $"Cannot make {path} safe: {Marshal.GetPInvokeErrorMessage(errno)}.");
}
