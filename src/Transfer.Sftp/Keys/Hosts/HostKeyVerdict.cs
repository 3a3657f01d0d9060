namespace Transfer.Sftp.Keys.Hosts;

/// <summary>What the known hosts say about a key.</summary>
internal enum HostKeyVerdict
{
    /// <summary>The key, or the authority behind its certificate, is the host's.</summary>
    Known,

    /// <summary>Nothing is known of the host.</summary>
    New,

    /// <summary>The host is known by other keys.</summary>
    Changed,

    /// <summary>The key must never be accepted.</summary>
    Revoked,

    /// <summary>The certificate's authority is trusted for the host, but not this certificate.</summary>
    BadCertificate,
}
