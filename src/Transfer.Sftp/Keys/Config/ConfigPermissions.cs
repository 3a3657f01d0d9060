using Microsoft.Win32.SafeHandles;
using Transfer.Sftp.Keys.Files;

namespace Transfer.Sftp.Keys.Config;

/// <summary>OpenSSH's rule for configuration files: of the user or of root, and nobody else may write them. A group with no other member is nobody else, as Debian has it. Not checked on Windows.</summary>
internal static class ConfigPermissions
{
    private const uint Root = 0;

    /// <exception cref="TransferException"><see cref="TransferError.Denied"/>: somebody else may change the file.</exception>
    public static void Check(SafeFileHandle file, string path)
    {
        if (OperatingSystem.IsWindows()) return;
        var (mode, owner, ours) = (File.GetUnixFileMode(file), FileOwner.Of(file), FileOwner.Ours);
        if (owner.User != Root && owner.User != ours.User) throw Refused(path, "belongs to another user", "chown");
        if ((mode & UnixFileMode.OtherWrite) != 0) throw Refused(path, "can be written by anybody", "chmod o-w");
        if ((mode & UnixFileMode.GroupWrite) != 0 && !OwnGroup.Is(owner.User, owner.Group)) throw Refused(path, "can be written by a group", "chmod g-w");
    }

    private static TransferException Refused(string path, string why, string remedy) =>
        new(TransferError.Denied, $"The configuration {path} {why} and is not used; '{remedy}' mends that.");
}
