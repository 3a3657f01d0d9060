using Microsoft.Win32.SafeHandles;
using Transfer.Local;

namespace Transfer.Sftp.Keys.Files;

/// <summary>
/// OpenSSH's rule for private key files: a file of this user must give other users no access. A file of another user (a mounted secret) is
/// that user's responsibility.
/// </summary>
internal static class KeyFilePermissions
{
    private const UnixFileMode OfOthers =
        UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherWrite
        | UnixFileMode.OtherExecute;

    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: other users may read or change the file.</exception>
    public static void Check(SafeFileHandle file, string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var mode = File.GetUnixFileMode(file);
        if ((mode & OfOthers) == 0 || FileOwner.Of(file).User != FileOwner.Ours.User) return;
        throw new TransferException(
            TransferError.Denied,
            $"The private key {path} is open to others (mode 0{Convert.ToString((int)mode, 8)}) and is not used; 'chmod 600' closes it.");
    }
}
