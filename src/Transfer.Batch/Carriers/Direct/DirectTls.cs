using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>The TLS options of direct connections: 1.3, and 1.2 with fresh keys and AES-GCM on systems without 1.3.</summary>
internal static class DirectTls
{
    private const SslProtocols Protocols = SslProtocols.Tls12 | SslProtocols.Tls13;

    private static readonly SslApplicationProtocol Application = new("transfer/1");

    private static readonly TlsCipherSuite[] Suites =
    [
        TlsCipherSuite.TLS_AES_128_GCM_SHA256, TlsCipherSuite.TLS_AES_256_GCM_SHA384, TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256,
        TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    ];

    // Only where the system's library accepts a policy; elsewhere the negotiated suite is checked.
    private static readonly CipherSuitesPolicy? Policy = OperatingSystem.IsLinux() || OperatingSystem.IsMacOS() ? CreatePolicy() : null;

    /// <summary>Returns the sender's options: the certificate must hold the key of the token, and nothing else in the certificate
    /// counts.</summary>
    public static SslClientAuthenticationOptions ForSender(BatchToken token) => new()
    {
        TargetHost = string.Empty,
        EnabledSslProtocols = Protocols,
        CipherSuitesPolicy = Policy,
        ApplicationProtocols = [Application],
        AllowTlsResume = false, // a resumed session has no certificate, and so no nonce
        AllowRenegotiation = false,
        // Only the key counts: nothing that a certificate refers to is fetched from addresses that a stranger chose.
        CertificateChainPolicy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            VerificationFlags = X509VerificationFlags.AllFlags,
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        },
        RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate is X509Certificate2 known && IsPinned(known, token),
    };

    /// <summary>The receiver's side.</summary>
    public static SslServerAuthenticationOptions ForReceiver(X509Certificate2 certificate) => new()
    {
        ServerCertificateContext = SslStreamCertificateContext.Create(certificate, additionalCertificates: null, offline: true),
        EnabledSslProtocols = Protocols,
        CipherSuitesPolicy = Policy,
        ApplicationProtocols = [Application],
        AllowTlsResume = false,
        AllowRenegotiation = false,
        ClientCertificateRequired = false,
    };

    /// <summary>Refuses a connection if the negotiated version or suite is too weak.</summary>
    /// <exception cref="TransferConnectionException"><see cref="TransferError.Tls"/>.</exception>
    public static void Check(SslStream tls)
    {
        if (tls.NegotiatedApplicationProtocol != Application)
            throw new TransferConnectionException(TransferError.Tls, "The other side speaks TLS, but not this protocol.");
        if (!Suites.Contains(tls.NegotiatedCipherSuite))
            throw new TransferConnectionException(TransferError.Tls, $"The cipher suite {tls.NegotiatedCipherSuite} is not good enough.");
    }

    private static bool IsPinned(X509Certificate2 certificate, BatchToken token) =>
        CryptographicOperations.FixedTimeEquals(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()), token.Fingerprint);

    private static CipherSuitesPolicy? CreatePolicy()
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsAndroid()) return null;
        try
        {
            return new CipherSuitesPolicy(Suites);
        }
        catch (PlatformNotSupportedException)
        {
            return null;
        }
    }
}
