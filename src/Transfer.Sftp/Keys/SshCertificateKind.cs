namespace Transfer.Sftp.Keys;

/// <summary>Whom a certificate speaks for; the values are the wire's.</summary>
internal enum SshCertificateKind
{
    User = 1,
    Host = 2,
}
