using Microsoft.Win32.SafeHandles;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>A local file that is open and locked: only one such lock exists, in all processes, until disposal or the end of the process,
/// however that ends.</summary>
public sealed class LockedFile : IDisposable
{
    private LockedFile(SafeFileHandle handle) => Handle = handle;

    /// <summary>The file.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Opens and locks a file.</summary>
    /// <param name="path">The path.</param>
    /// <param name="mode">Opens, makes or both.</param>
    /// <param name="access">Reading, writing or both.</param>
    /// <param name="permissions">The permissions of a new file, without the bits of the umask.</param>
    /// <exception cref="IOException">The file is locked elsewhere, or the system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">The file may not be opened.</exception>
    public static LockedFile Open(string path, FileMode mode = FileMode.OpenOrCreate, FileAccess access = FileAccess.ReadWrite,
        UnixFileMode permissions = FinalMode.Usual) =>
        new(DiskFiles.Open(path, mode, access, FileShare.None, permissions: permissions));

    /// <summary>Whether an error means that another process, or another job of this one, has the file locked.</summary>
    public static bool IsTaken(IOException error) =>
        OperatingSystem.IsWindows() ? (error.HResult & 0xFFFF) is 32 or 33 : error.HResult is 11 or 35;

    /// <summary>Unlocks and closes the file.</summary>
    public void Dispose() => DiskFiles.Release(Handle);
}
