using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>Finds out whether a process has a file open for writing.</summary>
internal static class OpenWriters
{
    private const int SetSignal = 10;
    private const int SetLease = 1024;
    private const int ReadLease = 0;
    private const int NoLease = 2;

    // SIGURG, which is ignored by default: of a lease that is broken the holder is informed by SIGIO, which would end the process.
    private const int Harmless = 23;

    /// <summary>
    /// Returns whether a file is open for writing, where the system can tell: on Windows by share modes, on Linux by a lease (fcntl(2),
    /// F_SETLEASE), which is granted only while there is no writer, for files of the user or with CAP_LEASE. Elsewhere, and for a file that
    /// cannot be opened, false: the transfer itself reports why.
    /// </summary>
    public static bool Has(string path)
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows()) return false;
        SafeFileHandle? file = null;
        try
        {
            // On Windows an opening that allows no writers fails where there is one, even where that one allows readers.
            var share = OperatingSystem.IsWindows() ? FileShare.Read | FileShare.Delete : FileShare.ReadWrite | FileShare.Delete;
            file = DiskFiles.Open(path, FileMode.Open, FileAccess.Read, share);
            return OperatingSystem.IsLinux() && IsLeaseRefused(file);
        }
        catch (IOException e)
        {
            return LockedFile.IsTaken(e);
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        finally
        {
            file?.Dispose();
        }
    }

    private static bool IsLeaseRefused(SafeFileHandle file)
    {
        if (Libc.Control(file, SetSignal, Harmless) != 0) return false;
        if (Libc.Control(file, SetLease, ReadLease) != 0) return Errno.Last == Errno.WouldBlock;
        _ = Libc.Control(file, SetLease, NoLease);
        return false;
    }
}
