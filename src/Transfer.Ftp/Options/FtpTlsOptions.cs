using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Ftp;

/// <summary>How FTPS connections are secured (RFC 4217). Certificates are checked unless told otherwise.</summary>
public sealed record FtpTlsOptions
{
    /// <summary>
    /// The versions allowed. <see cref="SslProtocols.None"/>: TLS 1.3 or 1.2, and 1.2 alone for servers that insist on resumed data connections. With explicit TLS the greeting, which
    /// somebody in between can write, may name such a server and so choose 1.2 until the host has shown that it does without; <see cref="SslProtocols.Tls13"/> forbids that.
    /// </summary>
    public SslProtocols Protocols { get; init; } = SslProtocols.None;

    /// <summary>Encrypts data connections too (PROT P). Off: PROT C.</summary>
    public bool ProtectData { get; init; } = true;

    /// <summary>Goes back to a clear control connection after the log-in (CCC), for NATs that read it.</summary>
    public bool ClearControl { get; init; }

    /// <summary>
    /// Public keys to accept, whatever the certificate says otherwise: <c>SHA256:</c> or curl's <c>sha256//</c>, and the base64 SHA-256 of the SubjectPublicKeyInfo. Empty: the
    /// platform's check decides. The client's constructor refuses what is no such hash (<see cref="ArgumentException"/>).
    /// </summary>
    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>Decides instead of the platform's check; gets its verdict.</summary>
    public RemoteCertificateValidationCallback? Validate { get; init; }

    /// <summary>Accepts any certificate: only for tests.</summary>
    public bool AcceptAnyCertificate { get; init; }

    /// <summary>Whether revocation is looked up.</summary>
    public X509RevocationMode Revocation { get; init; } = X509RevocationMode.NoCheck;

    /// <summary>Certificates to show the server, the leaf first; it must hold its private key.</summary>
    public IReadOnlyList<X509Certificate2> ClientCertificates { get; init; } = [];

    /// <summary>Resumes the control connection's TLS session on data connections: many servers insist, and it saves a round trip.</summary>
    public bool ReuseSessions { get; init; } = true;
}
