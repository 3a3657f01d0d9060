namespace Transfer.Sftp.Protocol;

/// <summary>Names of extended requests (OpenSSH's PROTOCOL, section 4).</summary>
internal static class SftpExtension
{
    public const string Limits = "limits@openssh.com";
    public const string PosixRename = "posix-rename@openssh.com";
    public const string FSync = "fsync@openssh.com";
    public const string StatVfs = "statvfs@openssh.com";
    public const string HardLink = "hardlink@openssh.com";
    public const string LSetStat = "lsetstat@openssh.com";
    public const string ExpandPath = "expand-path@openssh.com";
    public const string CopyData = "copy-data"; // draft-ietf-secsh-filexfer-extensions-00 section 7
    public const string UsersGroups = "users-groups-by-id@openssh.com";
}
