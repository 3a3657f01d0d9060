using Microsoft.Win32.SafeHandles;
using Transfer.Modes;

namespace Transfer.Local;

/// <summary>A local file that is open and locked: it is opened so only once, in all processes, until this is disposed of or the process ends, however it ends.</summary>
public sealed class LockedFile : IDisposable
{
    private LockedFile(SafeFileHandle handle) => Handle = handle;

    /// <summary>The file.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Opens and locks a file.</summary>
    /// <param name="path">The path.</param>
    /// <param name="mode">Opens, makes or both.</param>
    /// <param name="access">Reading, writing or both.</param>
    /// <param name="permissions">The permissions of a new file, of which the umask takes some.</param>
    /// <exception cref="IOException">Somebody has it, or the system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be opened.</exception>
    public static LockedFile Open(string path, FileMode mode = FileMode.OpenOrCreate, FileAccess access = FileAccess.ReadWrite, UnixFileMode permissions = FinalMode.Usual) =>
        new(DiskFiles.Open(path, mode, access, FileShare.None, permissions: permissions));

    /// <summary>Whether an error says that another process, or another job of this one, has the file locked.</summary>
    public static bool IsTaken(IOException error) =>
        OperatingSystem.IsWindows() ? (error.HResult & 0xFFFF) is 32 or 33 : error.HResult is 11 or 35;

    /// <summary>Unlocks and closes it.</summary>
    public void Dispose() => DiskFiles.Release(Handle);
}
