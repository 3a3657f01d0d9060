using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.TestSupport.Network;

/// <summary>Certificates made on the spot.</summary>
internal static class TestCertificate
{
    public static X509Certificate2 Create(string name = "localhost", bool expired = false, params string[] more)
    {
        var names = new SubjectAlternativeNameBuilder();
        foreach (var one in more.Prepend(name))
        {
            if (IPAddress.TryParse(one, out var address))
                names.AddIpAddress(address);
            else
                names.AddDnsName(one);
        }

        return Create(name, names.Build(), expired);
    }

    /// <summary>A certificate whose alternative names (2.5.29.17) are these bytes, well-formed or not.</summary>
    public static X509Certificate2 CreateWithNames(byte[] names) =>
        Create("localhost", new X509Extension("2.5.29.17", names, false), false);

    /// <summary>A certificate for localhost of an unknown authority, which names an address of that authority's certificate.</summary>
    public static X509Certificate2 CreateIssued(Uri issuerAt)
    {
        using var issuer = TestAuthority.CreateRoot("Issuer");
        return issuer.Issue("localhost", more: new X509AuthorityInformationAccessExtension(null, [issuerAt.ToString()]));
    }

    private static X509Certificate2 Create(string name, X509Extension names, bool expired)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(names);
        var now = DateTimeOffset.UtcNow;
        using var certificate = request.CreateSelfSigned(now.AddDays(-10), expired ? now.AddDays(-1) : now.AddDays(10));

        // SChannel wants a key that has been stored once.
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    /// <summary>A server's side, with sessions that can be resumed.</summary>
    public static SslServerAuthenticationOptions ServerOptions(
        X509Certificate2 certificate, bool askForCertificate = false, SslProtocols version = SslProtocols.None,
        X509Certificate2Collection? chain = null) => new()
        {
            // Nothing is fetched for this side's own chain.
            ServerCertificateContext = SslStreamCertificateContext.Create(certificate, chain, offline: true),
            ClientCertificateRequired = askForCertificate,
            RemoteCertificateValidationCallback = (_, shown, _, _) => shown is not null == askForCertificate,
            EnabledSslProtocols = version,
        };
}
