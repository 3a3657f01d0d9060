namespace Transfer.Ftp.Session;

/// <summary>The server software, as far as it decides what may be pipelined and how times are set.</summary>
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
