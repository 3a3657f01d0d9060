using Microsoft.Win32.SafeHandles;
using Transfer.Contents;
using Transfer.Modes;

namespace Transfer.Local.Contents;

/// <summary>
/// Opens files that are written. Large ones have their room reserved before their first byte, so that a disk that is too full says so at once; how long they are
/// shows what was written all the same (Linux: FALLOC_FL_KEEP_SIZE, macOS: F_PREALLOCATE, Windows: the allocation size). Where the file system can't, they do without.
/// </summary>
internal static class LocalRoom
{
    // COR_E_IO. What comes from an errno has that instead, and Windows has codes for it.
    private const int NoErrno = unchecked((int)0x80131620);

    /// <summary>How much to reserve for a file of that length: nothing for a small one, which is written as soon.</summary>
    public static long For(long? length) => length >= EngineContent.Large ? length.Value : 0;

    /// <summary>Opens a file; what is to be reserved is for a new one.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Quota"/>: there is no room for it, and it was not made.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static SafeFileHandle Open(string path, FileMode mode, FileAccess access, long reserved, UnixFileMode permissions = FinalMode.Usual)
    {
        try
        {
            return DiskFiles.Open(path, mode, access, FileShare.Read | FileShare.Delete, FileOptions.Asynchronous, reserved, permissions);
        }
        catch (IOException e) when (reserved > 0 && e.HResult == NoErrno)
        {
            throw new TransferException(TransferError.Quota, $"Cannot write {path}, of {reserved} bytes: {e.Message}", e);
        }
    }
}
