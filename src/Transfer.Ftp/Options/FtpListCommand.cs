namespace Transfer.Ftp;

/// <summary>How a directory is listed, from the fastest to the plainest.</summary>
public enum FtpListCommand
{
    /// <summary>MLSD with the path (RFC 3659 section 7).</summary>
    Mlsd,

    /// <summary>CWD, then MLSD without a path: some servers take no path with a space in it, or none at all.</summary>
    MlsdInFolder,

    /// <summary>CWD, then LIST without a path.</summary>
    List,

    /// <summary>CWD, then NLST without a path: the names, of which each is described by SIZE, MDTM and CWD.</summary>
    Nlst,
}
