namespace Transfer.Replacing;

/// <summary>The answer of a server, or of the local system, to a rename. Each protocol maps its codes to these.</summary>
public enum RenameAnswer
{
    /// <summary>Refused for now: FTP 4xx. No lesson about the server.</summary>
    Later,

    /// <summary>The rename was done: FTP 2xx, SFTP OK.</summary>
    Done,

    /// <summary>Refused for good, and an existing target may be the reason: FTP 5xx to RNTO, most statuses of SFTP.</summary>
    Refused,

    /// <summary>Refused for good because of the source: FTP 5xx to RNFR, SFTP NO_SUCH_FILE.</summary>
    SourceRefused,

    /// <summary>Refused for good, and the target is not the reason: an error of the local system.</summary>
    Denied,

    /// <summary>The server has no such command: FTP 500, 502 and 504, SFTP OP_UNSUPPORTED.</summary>
    Unsupported,

    /// <summary>
    /// The rename was confirmed, and a look shows the source under its old name: FTP 2xx, SFTP OK. The server does not rename, unless both
    /// names are hard links of one file.
    /// </summary>
    WithoutEffect,
}
