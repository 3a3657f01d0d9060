namespace Transfer.Sftp.Keys;

/// <summary>The kind of principals of a certificate; the values are the wire's.</summary>
internal enum SshCertificateKind
{
    User = 1,
    Host = 2,
}
