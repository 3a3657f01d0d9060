namespace Transfer.Ftp;

/// <summary>The representation type of file content (RFC 959 section 3.1.1).</summary>
public enum FtpTransferType
{
    /// <summary>TYPE I: unchanged bytes.</summary>
    Binary,

    /// <summary>TYPE A: line ends become CR LF on the wire and the system's own at each end. Lengths can then not be compared.</summary>
    Ascii,
}
