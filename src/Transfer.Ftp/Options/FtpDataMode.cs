namespace Transfer.Ftp;

/// <summary>Which side opens data connections.</summary>
public enum FtpDataMode
{
    /// <summary>We connect to the server: EPSV (RFC 2428), else PASV.</summary>
    Passive,

    /// <summary>The server connects to us: EPRT (RFC 2428), else PORT. Only the control connection's peer is let in.</summary>
    Active,
}
