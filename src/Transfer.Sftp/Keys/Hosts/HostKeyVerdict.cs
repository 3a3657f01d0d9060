namespace Transfer.Sftp.Keys.Hosts;

/// <summary>The judgement of the known hosts on a key.</summary>
internal enum HostKeyVerdict
{
    /// <summary>The key, or the authority of its certificate, is known for the host.</summary>
    Known,

    /// <summary>The host is unknown.</summary>
    New,

    /// <summary>The host is known by other keys.</summary>
    Changed,

    /// <summary>The key must never be accepted.</summary>
    Revoked,

    /// <summary>The certificate's authority is trusted for the host, but not this certificate.</summary>
    BadCertificate,
}
