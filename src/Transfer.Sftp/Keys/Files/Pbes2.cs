using System.Formats.Asn1;
using System.Security.Cryptography;

namespace Transfer.Sftp.Keys.Files;

/// <summary>
/// Encrypted PKCS #8 (RFC 5958 section 3) with PBES2, PBKDF2 and AES-CBC (RFC 8018), as OpenSSL, OpenSSH and .NET write them. The platform
/// decrypts only the kinds of keys that it has, and Ed25519 is none of them.
/// </summary>
internal sealed class Pbes2
{
    /// <summary>Above any recommendation, and still only seconds.</summary>
    private const int MaximumIterations = 10_000_000;

    private readonly byte[] _salt;
    private readonly int _iterations;
    private readonly HashAlgorithmName _hash;
    private readonly int _keySize;
    private readonly byte[] _nonce;
    private readonly byte[] _encrypted;

    private Pbes2(ReadOnlyMemory<byte> der)
    {
        var info = new AsnReader(der, AsnEncodingRules.BER).ReadSequence();
        var algorithm = info.ReadSequence();
        if (algorithm.ReadObjectIdentifier() != "1.2.840.113549.1.5.13") throw Unsupported();
        var schemes = algorithm.ReadSequence();
        _encrypted = info.ReadOctetString();

        var derivation = schemes.ReadSequence();
        if (derivation.ReadObjectIdentifier() != "1.2.840.113549.1.5.12") throw Unsupported();
        var parameters = derivation.ReadSequence();
        _salt = parameters.ReadOctetString();
        if (!parameters.TryReadInt32(out _iterations) || _iterations is < 1 or > MaximumIterations) throw Unsupported();
        // the key's length, which the cipher says too
        if (parameters.HasData && parameters.PeekTag().HasSameClassAndValue(Asn1Tag.Integer)) parameters.ReadInteger();
        _hash = parameters.HasData ? HashOf(parameters.ReadSequence().ReadObjectIdentifier()) : HashAlgorithmName.SHA1;

        var encryption = schemes.ReadSequence();
        _keySize = KeySizeOf(encryption.ReadObjectIdentifier());
        _nonce = encryption.ReadOctetString();
        if (_nonce.Length != 16 || _encrypted.Length == 0 || _encrypted.Length % 16 != 0) throw new AsnContentException();
    }

    /// <summary>Reads the part that is not encrypted.</summary>
    /// <exception cref="AsnContentException">Malformed.</exception>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: encrypted in another way.</exception>
    public static Pbes2 Read(ReadOnlyMemory<byte> der) => new(der);

    /// <summary>
    /// Decrypts into <paramref name="plain"/>, which must be as long as the file; returns the length, or null when the passphrase is
    /// wrong.
    /// </summary>
    public int? Decrypt(ReadOnlySpan<byte> passphrase, Span<byte> plain)
    {
        using var key = new SecretBytes(_keySize);
        Rfc2898DeriveBytes.Pbkdf2(passphrase, _salt, key.Span, _iterations, _hash);
        using var aes = Aes.Create();
        aes.SetKey(key.Span);
        try
        {
            return aes.DecryptCbc(_encrypted, _nonce, plain, PaddingMode.PKCS7);
        }
        catch (CryptographicException)
        {
            // The padding: the only sign of a wrong passphrase.
            return null;
        }
    }

    private static HashAlgorithmName HashOf(string identifier) => identifier switch
    {
        "1.2.840.113549.2.7" => HashAlgorithmName.SHA1,
        "1.2.840.113549.2.9" => HashAlgorithmName.SHA256,
        "1.2.840.113549.2.10" => HashAlgorithmName.SHA384,
        "1.2.840.113549.2.11" => HashAlgorithmName.SHA512,
        _ => throw Unsupported(),
    };

    private static int KeySizeOf(string identifier) => identifier switch
    {
        "2.16.840.1.101.3.4.1.2" => 16,
        "2.16.840.1.101.3.4.1.22" => 24,
        "2.16.840.1.101.3.4.1.42" => 32,
        _ => throw Unsupported(),
    };

    private static TransferException Unsupported() =>
        new(TransferError.Unsupported, "The key is encrypted in a way that is not supported; 'ssh-keygen -p -f FILE' rewrites it.");
}
