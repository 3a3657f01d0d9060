namespace Transfer.Ftp;

/// <summary>
/// How data connections are announced, from the fastest to the plainest. In active mode EPRT and PORT stand for EPSV and PASV.
/// </summary>
public enum FtpDataPort
{
    /// <summary>EPSV (RFC 2428): the server names a port.</summary>
    Epsv,

    /// <summary>PASV (RFC 959 section 4.1.2): the server names an IPv4 address and a port.</summary>
    Pasv,
}
