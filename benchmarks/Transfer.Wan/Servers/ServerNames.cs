namespace Transfer.Wan.Servers;

/// <summary>The servers' names in scenarios and records.</summary>
internal static class ServerNames
{
    public const string Vsftpd = "vsftpd";
    public const string Proftpd = "ProFTPD";
    public const string PureFtpd = "Pure-FTPd";
    public const string OpenSsh = "OpenSSH";

    /// <summary>The same where our own command is installed for its users.</summary>
    public const string OpenSshWithTransfer = "OpenSSH + transfer";
    public const string Lighttpd = "lighttpd";
}
