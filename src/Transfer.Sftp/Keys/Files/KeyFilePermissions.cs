using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transfer.Sftp.Keys.Files;

/// <summary>OpenSSH's rule for private key files: ours, then nobody else may have any access. A file of another user (a mounted secret) is that user's business.</summary>
internal static class KeyFilePermissions
{
    private const UnixFileMode OfOthers =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute;

    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: others may read or change the file.</exception>
    public static void Check(SafeFileHandle file, string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var mode = File.GetUnixFileMode(file);
        if ((mode & OfOthers) == 0 || !IsOurs(file)) return;
        throw new TransferException(
            TransferError.Denied, $"The private key {path} is open to others (mode 0{Convert.ToString((int)mode, 8)}) and is not used; 'chmod 600' closes it.");
    }

    /// <summary>.NET tells no owners; Linux's statx does, in a layout that is the same everywhere. Elsewhere every file counts as ours, which is the stricter way.</summary>
    private static bool IsOurs(SafeFileHandle file)
    {
        const int EmptyPath = 0x1000;
        const uint WantOwner = 0x8;
        const int OwnerOffset = 20;
        if (!OperatingSystem.IsLinux()) return true;
        var result = new byte[256];
        try
        {
            return StatX(file, [0], EmptyPath, WantOwner, result) != 0 || MemoryMarshal.Read<uint>(result.AsSpan(OwnerOffset)) == GetUserId();
        }
        catch (EntryPointNotFoundException)
        {
            // A C library older than statx.
            return true;
        }
    }

    // Blittable arguments only: generated marshalling would need unsafe code in the whole project.
    [DllImport("libc", EntryPoint = "statx")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int StatX(SafeFileHandle directory, byte[] path, int flags, uint mask, byte[] result);

    [DllImport("libc", EntryPoint = "getuid")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern uint GetUserId();
}
