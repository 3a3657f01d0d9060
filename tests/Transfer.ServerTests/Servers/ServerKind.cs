namespace Transfer.ServerTests.Servers;

/// <summary>The servers tested against.</summary>
public enum ServerKind
{
    Vsftpd,
    Proftpd,
    PureFtpd,

    /// <summary>OpenSSH's sshd.</summary>
    OpenSsh,

    /// <summary>ProFTPD with mod_sftp.</summary>
    ProftpdSftp,

    /// <summary>OpenSSH's sshd, through SSH.NET.</summary>
    SshNet,
}
