namespace Transfer.Ftp;

/// <summary>The start of TLS on the control connection.</summary>
public enum FtpTlsMode
{
    /// <summary>Never: everything, the password included, is sent in the clear.</summary>
    Off,

    /// <summary>After AUTH TLS (RFC 4217 section 4). A server that refuses fails the log-in; there is no silent fall-back.</summary>
    Explicit,

    /// <summary>From the first byte, usually on port 990.</summary>
    Implicit,
}
