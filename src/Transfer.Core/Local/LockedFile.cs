using Microsoft.Win32.SafeHandles;

namespace Transfer.Local;

/// <summary>An open file that nobody else opens so, in this process or another, until this is disposed of or the process ends, however it ends.</summary>
internal sealed class LockedFile : IDisposable
{
    private LockedFile(SafeFileHandle handle) => Handle = handle;

    /// <summary>The file.</summary>
    public SafeFileHandle Handle { get; }

    /// <summary>Opens and locks a file.</summary>
    /// <exception cref="IOException">Somebody has it, or the system refuses.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be opened.</exception>
    public static LockedFile Open(string path, FileMode mode = FileMode.OpenOrCreate, FileAccess access = FileAccess.ReadWrite) =>
        new(DiskFiles.Open(path, mode, access, FileShare.None));

    /// <summary>Unlocks and closes it.</summary>
    public void Dispose() => DiskFiles.Release(Handle);
}
