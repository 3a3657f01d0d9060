using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>What a receiver is known by: a P-256 key pair and the secret that its senders have.</summary>
internal sealed class DirectIdentity : IDisposable
{
    private const int NonceLength = 16;
    private static readonly X500DistinguishedName Name = new("CN=transfer");

    private readonly ECDsa _key;
    private readonly Lock _gate = new(); // a key serves one at a time

    public DirectIdentity(ECDsa key, ReadOnlySpan<byte> secret)
    {
        _key = key;
        Token = BatchToken.Create(SHA256.HashData(key.ExportSubjectPublicKeyInfo()), secret);
    }

    /// <summary>For its senders.</summary>
    public BatchToken Token { get; }

    /// <summary>Fresh keys that nobody has seen.</summary>
    public static DirectIdentity Create() => new(ECDsa.Create(ECCurve.NamedCurves.nistP256), RandomNumberGenerator.GetBytes(BatchToken.SecretLength));

    /// <summary>The private key; the caller clears it.</summary>
    public byte[] ExportKey() => _key.ExportPkcs8PrivateKey();

    /// <summary>
    /// A certificate for one connection, signed by its own key: the serial number is this side's nonce (see <see cref="DirectProof"/>). Nobody looks at
    /// its name or at its time: the sender knows the key.
    /// </summary>
    /// <param name="now">The time.</param>
    /// <param name="hasFiles">What its sender is told by it (<see cref="DirectProof.TellsOfFiles"/>).</param>
    public X509Certificate2 CreateCertificate(DateTimeOffset now, bool hasFiles = false)
    {
        var request = new CertificateRequest(Name, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        // A serial number is positive (RFC 5280 section 4.1.2.2), hence the first byte.
        Span<byte> serial = stackalloc byte[1 + NonceLength];
        serial[0] = 1;
        do RandomNumberGenerator.Fill(serial[1..]);
        while (DirectProof.TellsOfFiles(Token, serial) != hasFiles);
        X509Certificate2 certificate;
        lock (_gate)
        {
            using var made = request.Create(Name, X509SignatureGenerator.CreateForECDsa(_key), now.AddDays(-1), now.AddDays(1), serial);
            certificate = made.CopyWithPrivateKey(_key);
        }
        if (!OperatingSystem.IsWindows()) return certificate;

        // Windows' TLS needs the key in a key container, which loading it from PKCS#12 gives it.
        using (certificate) return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), password: null);
    }

    public void Dispose() => _key.Dispose();
}
