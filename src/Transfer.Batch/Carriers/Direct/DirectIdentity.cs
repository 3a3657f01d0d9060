using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Transfer.Batch.Carriers.Direct;

/// <summary>The identity of a receiver: a P-256 key pair and the secret that the senders know.</summary>
internal sealed class DirectIdentity : IDisposable
{
    private const int NonceLength = 16;
    private static readonly X500DistinguishedName Name = new("CN=transfer");

    private readonly ECDsa _key;
    private readonly Lock _gate = new(); // the key is not thread-safe

    public DirectIdentity(ECDsa key, ReadOnlySpan<byte> secret)
    {
        _key = key;
        Token = BatchToken.Create(SHA256.HashData(key.ExportSubjectPublicKeyInfo()), secret);
    }

    /// <summary>The token for senders.</summary>
    public BatchToken Token { get; }

    /// <summary>Creates an identity with fresh keys.</summary>
    public static DirectIdentity Create() =>
        new(ECDsa.Create(ECCurve.NamedCurves.nistP256), RandomNumberGenerator.GetBytes(BatchToken.SecretLength));

    /// <summary>Returns the private key, which the caller clears.</summary>
    public byte[] ExportKey() => _key.ExportPkcs8PrivateKey();

    /// <summary>
    /// Creates a self-signed certificate for one connection, with this side's nonce as the serial number (see <see cref="DirectProof"/>).
    /// The name and the dates do not matter: the sender knows the key.
    /// </summary>
    /// <param name="now">The time.</param>
    /// <param name="hasFiles">The flag for the sender (<see cref="DirectProof.HasFilesFlag"/>).</param>
    public X509Certificate2 CreateCertificate(DateTimeOffset now, bool hasFiles = false)
    {
        var request = new CertificateRequest(Name, _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        // A serial number is positive (RFC 5280 section 4.1.2.2), hence the first byte.
        Span<byte> serial = stackalloc byte[1 + NonceLength];
        serial[0] = 1;
        do RandomNumberGenerator.Fill(serial[1..]);
        while (DirectProof.HasFilesFlag(Token, serial) != hasFiles);
        X509Certificate2 certificate;
        lock (_gate)
        {
            using var made = request.Create(Name, X509SignatureGenerator.CreateForECDsa(_key), now.AddDays(-1), now.AddDays(1), serial);
            certificate = made.CopyWithPrivateKey(_key);
        }
        if (!OperatingSystem.IsWindows()) return certificate;

        // TLS on Windows needs the key in a key container, which loading from PKCS#12 creates.
        using (certificate) return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), password: null);
    }

    public void Dispose() => _key.Dispose();
}
