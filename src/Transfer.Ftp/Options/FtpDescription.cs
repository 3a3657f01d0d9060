namespace Transfer.Ftp;

/// <summary>How one entry is described, from the fastest to the plainest. What one way leaves open is asked by the next.</summary>
public enum FtpDescription
{
    /// <summary>MLST (RFC 3659 section 7).</summary>
    Mlst,

    /// <summary>SIZE and MDTM (RFC 3659 sections 3 and 4) and CWD together.</summary>
    SizeAndTime,
}
