using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Ftp.Protocol;

/// <summary>The TLS settings for one server.</summary>
internal sealed record TlsSettings
{
    /// <summary>The name or IP literal as the user wrote it; the certificate has to match.</summary>
    public required string ServerName { get; init; }

    /// <summary>The versions to offer; <see cref="SslProtocols.None"/>: the system chooses.</summary>
    public SslProtocols Enabled { get; init; } = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>The client certificate, made once a client with <see cref="CreateClientCertificate"/>.</summary>
    public SslStreamCertificateContext? ClientCertificate { get; init; }

    /// <summary>
    /// Decides instead of the chain and name check, and receives their errors. Not called when <see cref="Pins"/> are set.
    /// </summary>
    public RemoteCertificateValidationCallback? CustomValidation { get; init; }

    /// <summary>
    /// Public keys, in the forms that <see cref="KeyPin.Normalize"/> takes. If there are any, one must match, and a match is enough: chain,
    /// name and dates do not count then.
    /// </summary>
    public IReadOnlyList<string> Pins
    {
        get;
        init => field = [.. value.Select(KeyPin.Normalize)];
    } = [];

    /// <summary>The authorities to trust in place of the system's; empty: the system's.</summary>
    public X509Certificate2Collection Authorities { get; init; } = [];

    /// <summary>Whether any certificate is accepted (pins still count).</summary>
    public bool AcceptAnyCertificate { get; init; }

    /// <summary>Whether revocation is checked.</summary>
    public X509RevocationMode RevocationMode { get; init; } = X509RevocationMode.NoCheck;

    /// <summary>Whether the chain counts at all.</summary>
    public bool JudgesChain => Pins.Count == 0 && (CustomValidation is not null || !AcceptAnyCertificate);

    /// <summary>Whether data connections resume the control connection's TLS session.</summary>
    public bool ReuseSessions { get; init; } = true;

    /// <summary>Returns the first certificate with a private key, and the rest as its chain. Null for an empty collection.</summary>
    /// <exception cref="ArgumentException">No certificate has a private key.</exception>
    public static SslStreamCertificateContext? CreateClientCertificate(X509Certificate2Collection certificates)
    {
        if (certificates.Count == 0)
            return null;
        var target = certificates.FirstOrDefault(c => c.HasPrivateKey)
            ?? throw new ArgumentException("None of the client certificates has a private key.", nameof(certificates));
        X509Certificate2Collection others = [.. certificates.Where(c => !ReferenceEquals(c, target))];
        return SslStreamCertificateContext.Create(target, others, offline: true);
    }
}
