namespace Transfer.Ftp;

/// <summary>The representation type of file content (RFC 959 section 3.1.1).</summary>
public enum FtpTransferType
{
    /// <summary>TYPE I: bytes as they are.</summary>
    Binary,

    /// <summary>TYPE A: line ends become CR LF on the wire and the system's own at each end. Sizes can then not be compared.</summary>
    Ascii,
}
