namespace Transfer.Ftp;

/// <summary>The side that opens data connections.</summary>
public enum FtpDataMode
{
    /// <summary>The client connects to the server: EPSV (RFC 2428), else PASV.</summary>
    Passive,

    /// <summary>The server connects to the client: EPRT (RFC 2428), else PORT. Only the control connection's peer is accepted.</summary>
    Active,
}
