namespace Transfer.Ftp.Session;

/// <summary>The server software, which decides pipelining and the setting of times.</summary>
internal enum FtpFlavor
{
    /// <summary>Not recognised: one file's commands a write.</summary>
    Unknown,
    Vsftpd,
    ProFtpd,
    PureFtpd,
    FileZilla,

    /// <summary>Transfer.Testing's embedded server.</summary>
    Embedded,
}
