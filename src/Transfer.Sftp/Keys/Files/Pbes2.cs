using System.Formats.Asn1;
using System.Security.Cryptography;

namespace Transfer.Sftp.Keys.Files;

/// <summary>
/// Encrypted PKCS #8 (RFC 5958 section 3) with PBES2, PBKDF2 and AES-CBC (RFC 8018), as OpenSSL, OpenSSH and .NET write them. The platform
/// decrypts only the kinds of keys that it has, and Ed25519 is none of them.
/// </summary>
internal static class Pbes2
{
    /// <summary>Above any recommendation, and still only seconds.</summary>
    private const int MaximumIterations = 10_000_000;

    /// <summary>
    /// Decrypts into <paramref name="plain"/>, which must be as long as the file; returns the length, or null when the passphrase is
    /// wrong.
    /// </summary>
    /// <exception cref="AsnContentException">Malformed.</exception>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: encrypted in another way.</exception>
    public static int? Decrypt(ReadOnlyMemory<byte> der, ReadOnlySpan<byte> passphrase, Span<byte> plain)
    {
        var info = new AsnReader(der, AsnEncodingRules.BER).ReadSequence();
        var algorithm = info.ReadSequence();
        if (algorithm.ReadObjectIdentifier() != "1.2.840.113549.1.5.13") throw Unsupported();
        var schemes = algorithm.ReadSequence();
        var encrypted = info.ReadOctetString();

        var derivation = schemes.ReadSequence();
        if (derivation.ReadObjectIdentifier() != "1.2.840.113549.1.5.12") throw Unsupported();
        var parameters = derivation.ReadSequence();
        var salt = parameters.ReadOctetString();
        if (!parameters.TryReadInt32(out var iterations) || iterations is < 1 or > MaximumIterations) throw Unsupported();
        // the key's length, which the cipher says too
        if (parameters.HasData && parameters.PeekTag().HasSameClassAndValue(Asn1Tag.Integer)) parameters.ReadInteger();
        var hash = parameters.HasData ? HashOf(parameters.ReadSequence().ReadObjectIdentifier()) : HashAlgorithmName.SHA1;

        var encryption = schemes.ReadSequence();
        using var key = new SecretBytes(KeySizeOf(encryption.ReadObjectIdentifier()));
        var nonce = encryption.ReadOctetString();
        if (nonce.Length != 16 || encrypted.Length == 0 || encrypted.Length % 16 != 0) throw new AsnContentException();
        Rfc2898DeriveBytes.Pbkdf2(passphrase, salt, key.Span, iterations, hash);
        using var aes = Aes.Create();
        aes.SetKey(key.Span);
        try
        {
            return aes.DecryptCbc(encrypted, nonce, plain, PaddingMode.PKCS7);
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
