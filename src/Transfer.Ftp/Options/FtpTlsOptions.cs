using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Ftp;

/// <summary>The security of FTPS connections (RFC 4217). Certificates are checked by default.</summary>
public sealed record FtpTlsOptions
{
    /// <summary>
    /// The versions allowed. <see cref="SslProtocols.None"/>: TLS 1.3 or 1.2, and only 1.2 for servers that insist on resumed data
    /// connections. With explicit TLS the greeting, which an attacker in between can write, may name such a server and so choose 1.2 until
    /// the host has worked without resumption; <see cref="SslProtocols.Tls13"/> forbids that.
    /// </summary>
    public SslProtocols Protocols { get; init; } = SslProtocols.None;

    /// <summary>Whether data connections are encrypted too (PROT P). Off: PROT C.</summary>
    public bool ProtectData { get; init; } = true;

    /// <summary>Whether the control connection returns to clear text after the log-in (CCC), for NATs that read the commands.</summary>
    public bool ClearControl { get; init; }

    /// <summary>
    /// Public keys to accept regardless of the certificate's other fields: <c>SHA256:</c> or curl's <c>sha256//</c>, and the base64 SHA-256
    /// of the SubjectPublicKeyInfo. Empty: the platform's check decides. The client's constructor refuses other texts
    /// (<see cref="ArgumentException"/>).
    /// </summary>
    public IReadOnlyList<string> Pins { get; init; } = [];

    /// <summary>
    /// Certificates of authorities (roots, or those in between), or of servers themselves, that are trusted in place of the system's. Names
    /// and dates are checked as ever. Empty: the system's.
    /// </summary>
    public IReadOnlyList<X509Certificate2> Authorities { get; init; } = [];

    /// <summary>Decides instead of the platform's check, given that check's errors.</summary>
    public RemoteCertificateValidationCallback? Validate { get; init; }

    /// <summary>Whether any certificate is accepted: only for tests.</summary>
    public bool AcceptAnyCertificate { get; init; }

    /// <summary>The check of revocation.</summary>
    public X509RevocationMode Revocation { get; init; } = X509RevocationMode.NoCheck;

    /// <summary>Certificates to send to the server, the leaf with its private key first.</summary>
    public IReadOnlyList<X509Certificate2> ClientCertificates { get; init; } = [];

    /// <summary>
    /// Whether data connections resume the control connection's TLS session: many servers insist, and a round trip is saved.
    /// </summary>
    public bool ReuseSessions { get; init; } = true;
}
