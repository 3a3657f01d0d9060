using Microsoft.Win32.SafeHandles;
using Transfer.Contents;
using Transfer.Modes;

namespace Transfer.Local.Contents;

/// <summary>
/// Opens files for writing. Large ones have their room reserved before the first byte, so that a full disk fails at once; the length still
/// shows the bytes written (Linux: FALLOC_FL_KEEP_SIZE, macOS: F_PREALLOCATE, Windows: the allocation size). Where the file system can't,
/// nothing is reserved.
/// </summary>
internal static class FileReservation
{
    // COR_E_IO. Exceptions made from an errno have that instead, and Windows has its own codes.
    private const int NoErrno = unchecked((int)0x80131620);

    /// <summary>The bytes to reserve for a file of a length: none for a small one, whose writing fails as soon.</summary>
    public static long BytesFor(long? length) => length >= EngineContent.LargeLength ? length.Value : 0;

    /// <summary>Opens a file; only for a new one may room be reserved.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Quota"/>: there is no room for the file, which was not
    /// made.</exception>
    /// <exception cref="IOException">The system refuses.</exception>
    public static SafeFileHandle Open(string path, FileMode mode, FileAccess access, long reserved,
        UnixFileMode permissions = FinalMode.Usual)
    {
        try
        {
            return DiskFiles.Open(path, mode, access, FileShare.Read | FileShare.Delete, FileOptions.Asynchronous, reserved, permissions);
        }
        catch (IOException e) when (reserved > 0 && e.HResult == NoErrno && e is not TransferException)
        {
            throw new TransferException(TransferError.Quota, $"Cannot write {path}, of {reserved} bytes: {e.Message}", e);
        }
    }
}
