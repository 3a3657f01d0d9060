using System.Formats.Asn1;
using System.Security.Cryptography;

namespace Transfer.Sftp.Keys.Files;

/// <summary>PKCS #8 private keys (RFC 5958); Ed25519's by RFC 8410 section 7. Encrypted ones arrive here decrypted.</summary>
internal static class Pkcs8
{
    private const string Rsa = "1.2.840.113549.1.1.1";
    private const string EllipticCurve = "1.2.840.10045.2.1";
    private const string Ed25519 = "1.3.101.112";

    /// <exception cref="AsnContentException">Malformed.</exception>
    /// <exception cref="CryptographicException">Not a key.</exception>
    /// <exception cref="TransferException"><see cref="TransferError.Unsupported"/>: another kind of key.</exception>
    public static SshPrivateKey Decode(ReadOnlyMemory<byte> der)
    {
        var info = new AsnReader(der, AsnEncodingRules.BER).ReadSequence();
        info.ReadInteger();
        var algorithm = info.ReadSequence().ReadObjectIdentifier();
        switch (algorithm)
        {
            case Rsa:
                return PlatformKeys.Rsa(rsa => rsa.ImportPkcs8PrivateKey(der.Span, out _));
            case EllipticCurve:
                return PlatformKeys.Ecdsa(ecdsa => ecdsa.ImportPkcs8PrivateKey(der.Span, out _));
            case Ed25519:
                using (var seed = new SecretBytes(32))
                {
                    // An octet string in an octet string.
                    var inner = new AsnReader(ReadOctets(info), AsnEncodingRules.BER);
                    if (!inner.TryReadOctetString(seed.Span, out var written) || written != 32)
                        throw new CryptographicException("The seed does not have 32 bytes.");
                    return new Ed25519Key(seed.Span);
                }

            default:
                throw new TransferException(TransferError.Unsupported,
                    "The file holds a kind of key that is not supported; ed25519, ecdsa and rsa are.");
        }
    }

    private static ReadOnlyMemory<byte> ReadOctets(AsnReader reader) =>
        reader.TryReadPrimitiveOctetString(out var octets) ? octets : throw new CryptographicException("An octet string in pieces.");
}
