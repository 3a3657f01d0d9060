using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.TestSupport.Network;

/// <summary>An authority made on the spot, which issues certificates of servers and of further authorities.</summary>
internal sealed class TestAuthority : IDisposable
{
    private readonly X509Certificate2 _withKey;

    private TestAuthority(X509Certificate2 withKey)
    {
        _withKey = withKey;
        Certificate = X509CertificateLoader.LoadCertificate(withKey.RawData);
    }

    /// <summary>The certificate without its key.</summary>
    public X509Certificate2 Certificate { get; }

    /// <summary>An authority that has issued its own certificate.</summary>
    public static TestAuthority CreateRoot(string name)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var now = DateTimeOffset.UtcNow;
        return new(RequestOfAuthority(name, key).CreateSelfSigned(now.AddDays(-20), now.AddDays(20)));
    }

    /// <summary>An authority of which this one has issued the certificate; or a certificate that issues others without the right
    /// to.</summary>
    public TestAuthority CreateAuthority(string name, bool mayIssue = true)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var issued = Issue(RequestOfAuthority(name, key, mayIssue), 15);
        return new(issued.CopyWithPrivateKey(key));
    }

    /// <summary>A server's certificate with its key.</summary>
    public X509Certificate2 Issue(string name, bool expired = false, params X509Extension[] more)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        request.CertificateExtensions.Add(names.Build());
        foreach (var extension in more)
            request.CertificateExtensions.Add(extension);
        using var issued = Issue(request, expired ? -1 : 10);
        using var certificate = issued.CopyWithPrivateKey(key);

        // SChannel wants a key that has been stored once.
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    public void Dispose()
    {
        Certificate.Dispose();
        _withKey.Dispose();
    }

    private static CertificateRequest RequestOfAuthority(string name, ECDsa key, bool mayIssue = true)
    {
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        if (mayIssue)
            request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        return request;
    }

    private X509Certificate2 Issue(CertificateRequest request, int days)
    {
        var now = DateTimeOffset.UtcNow;
        using var key = _withKey.GetECDsaPrivateKey()!;
        return request.Create(_withKey.SubjectName, X509SignatureGenerator.CreateForECDsa(key), now.AddDays(-10), now.AddDays(days),
            RandomNumberGenerator.GetBytes(8));
    }
}
