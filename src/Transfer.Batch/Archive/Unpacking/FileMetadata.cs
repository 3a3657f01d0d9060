using Microsoft.Win32.SafeHandles;
using Transfer.Batch.Archive.Tar;

namespace Transfer.Batch.Archive.Unpacking;

/// <summary>Gives a file on its way what its source had.</summary>
internal static class FileMetadata
{
    // FILETIME begins with 1601; nothing else is that old.
    private static readonly DateTime Oldest = new(1602, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    public static void SetTimes(SafeFileHandle handle, TarEntry entry)
    {
        if (entry.Created is { } created && created > Oldest && (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS())) File.SetCreationTimeUtc(handle, created);
        // Last: elsewhere setting the creation time would change it.
        if (entry.Modified > Oldest) File.SetLastWriteTimeUtc(handle, entry.Modified);
    }
}
