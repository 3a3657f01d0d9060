namespace Transfer.Testing;

/// <summary>How an <see cref="FtpTestServer"/> offers TLS.</summary>
public enum FtpTestTls
{
    /// <summary>No TLS: AUTH is answered 502 and is missing in FEAT.</summary>
    None,

    /// <summary>After <c>AUTH TLS</c> on the plain port (RFC 4217).</summary>
    Explicit,

    /// <summary>From the first byte of the control connection; data connections start protected.</summary>
    Implicit,
}
