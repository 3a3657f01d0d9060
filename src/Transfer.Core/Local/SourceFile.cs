using Microsoft.Win32.SafeHandles;
using Transfer.Local.Native;

namespace Transfer.Local;

/// <summary>
/// Opens a file that is read and that others may go on writing, renaming and deleting: what has changed meanwhile is found out. On Linux in two calls; .NET takes six for it, which of many small
/// files is a good part of the work.
/// </summary>
internal static class SourceFile
{
    /// <summary>Opens it.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="early">It, as <see cref="Disk.Open(string)"/> opens it, where somebody has done so before; belongs to the result. Null: nobody has.</param>
    /// <exception cref="IOException">It is absent, or somebody has locked it.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static SafeFileHandle Open(string path, SafeFileHandle? early = null)
    {
        if (OperatingSystem.IsLinux())
        {
            var handle = early ?? Disk.Open(path);
            // As .NET locks it: programs of .NET that write it and want nobody to see it meanwhile have locked it for themselves.
            if (handle is not null && Libc.Lock(handle, Libc.LockShared) == 0) return handle;
            handle?.Dispose();
        }
        return DiskFiles.Open(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
    }
}
