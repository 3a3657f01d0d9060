using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Testing;

/// <summary>Makes certificates for tests.</summary>
public static class FtpTestCertificate
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";

    /// <summary>Makes a self-signed certificate with its private key.</summary>
    /// <param name="names">DNS names and IP literals; null: localhost, 127.0.0.1 and ::1.</param>
    /// <param name="notBefore">Valid from; null: since yesterday.</param>
    /// <param name="notAfter">Valid until; null: for a year.</param>
    /// <returns>The certificate; the caller disposes of it.</returns>
    public static X509Certificate2 Create(IEnumerable<string>? names = null, DateTimeOffset? notBefore = null,
        DateTimeOffset? notAfter = null)
    {
        string[] subjects = [.. names ?? ["localhost", "127.0.0.1", "::1"]];
        var alternatives = new SubjectAlternativeNameBuilder();
        foreach (var name in subjects)
        {
            if (IPAddress.TryParse(name, out var address)) alternatives.AddIpAddress(address);
            else alternatives.AddDnsName(name);
        }

        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var subject = new X500DistinguishedNameBuilder();
        subject.AddCommonName(subjects.Length > 0 ? subjects[0] : "Transfer test");
        var request = new CertificateRequest(subject.Build(), key, HashAlgorithmName.SHA256);
        if (subjects.Length > 0) request.CertificateExtensions.Add(alternatives.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: false, hasPathLengthConstraint: false,
            pathLengthConstraint: 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid(ServerAuthentication), new Oid(ClientAuthentication)], critical: false));
        var now = DateTimeOffset.UtcNow;
        using var made = request.CreateSelfSigned(notBefore ?? now.AddDays(-1), notAfter ?? now.AddYears(1));

        // Windows' TLS requires the key in a key container, which loading from PKCS#12 creates.
        return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), password: null);
    }
}
