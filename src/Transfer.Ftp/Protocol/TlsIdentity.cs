namespace Transfer.Ftp.Protocol;

/// <summary>
/// The facts that data connections share with their control connection: the name in the TLS session cache, and the certificate.
/// </summary>
internal sealed class TlsIdentity
{
    internal TlsIdentity(TlsSettings settings, string targetHost, bool reuses, byte[] certificateHash)
    {
        Settings = settings;
        TargetHost = targetHost;
        Reuses = reuses;
        CertificateHash = certificateHash;
    }

    /// <summary>The TLS settings.</summary>
    public TlsSettings Settings { get; }

    /// <summary>The name given to the TLS layer, which keeps one session for each.</summary>
    public string TargetHost { get; }

    /// <summary>Whether data connections can resume the control connection's session.</summary>
    public bool Reuses { get; }

    /// <summary>SHA-256 of the control connection's certificate.</summary>
    public byte[] CertificateHash { get; }
}
