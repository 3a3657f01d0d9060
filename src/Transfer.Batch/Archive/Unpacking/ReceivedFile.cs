using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>What is done to a file on its way.</summary>
internal static class ReceivedFile
{
    // FILETIME begins with 1601; nothing else is that old.
    private static readonly DateTime Oldest = new(1602, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    /// <summary>Writes a part of a file.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: no file may be as long here.</exception>
    public static void Write(SafeFileHandle handle, ReadOnlySpan<byte> content, long offset)
    {
        try
        {
            RandomAccess.Write(handle, content, offset);
        }
        catch (ArgumentOutOfRangeException e)
        {
            // What the framework makes of EFBIG.
            throw new TransferException(TransferError.Unsupported, "The file is too large for the file system.", e);
        }
    }

    /// <summary>False: no file system here has such a time.</summary>
    public static bool IsPossible(DateTime time) => time > Oldest;

    public static void SetTimes(SafeFileHandle handle, TarEntry entry)
    {
        if (entry.Created is { } created && IsPossible(created) && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())) File.SetCreationTimeUtc(handle, created);
        // Last: elsewhere setting the creation time would change it.
        if (IsPossible(entry.Modified)) File.SetLastWriteTimeUtc(handle, entry.Modified);
    }
}
