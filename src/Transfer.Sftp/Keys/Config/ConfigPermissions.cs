using Microsoft.Win32.SafeHandles;
using Transfer.Local;
using Transfer.Sftp.Keys.Files;

namespace Transfer.Sftp.Keys.Config;

/// <summary>
/// OpenSSH's rule for configuration files: owned by the user or by root, and not writable by other users. A group with the user as its
/// only member is allowed, as in Debian. Not checked on Windows.
/// </summary>
internal static class ConfigPermissions
{
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Denied"/>: another user owns the file or may change the file.
    /// </exception>
    public static void Check(SafeFileHandle file, string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var (mode, owner) = (File.GetUnixFileMode(file), FileOwner.Of(file));
        if (!owner.IsTrusted) throw Refused(path, "belongs to another user", "chown");
        if ((mode & UnixFileMode.OtherWrite) != 0) throw Refused(path, "can be written by anybody", "chmod o-w");
        if ((mode & UnixFileMode.GroupWrite) != 0 && !OwnGroup.HasSingleMember(owner.User, owner.Group))
            throw Refused(path, "can be written by a group", "chmod g-w");
    }

    private static TransferException Refused(string path, string why, string remedy) =>
        new(TransferError.Denied, $"The configuration {path} {why} and is not used; '{remedy}' mends that.");
}
