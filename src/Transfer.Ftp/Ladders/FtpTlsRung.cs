namespace Transfer.Ftp.Ladders;

/// <summary>The version of TLS that the options leave open.</summary>
internal enum FtpTlsRung
{
    /// <summary>TLS 1.3, or 1.2 where the server has no more.</summary>
    Newest,

    /// <summary>TLS 1.2, with sessions resumed.</summary>
    Tls12,

    /// <summary>As <see cref="Newest"/>, since the server has refused a handshake of TLS 1.2.</summary>
    NotTls12,
}
