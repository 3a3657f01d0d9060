using Curve = Org.BouncyCastle.Math.EC.Rfc8032.Ed25519;

namespace Transfer.Sftp.Crypto;

/// <summary>Verification of Ed25519 signatures (RFC 8032 section 5.1.7), by BouncyCastle. <see cref="Ed25519PrivateKey"/> signs.</summary>
internal static class Ed25519
{
    public const int SeedSize = 32;
    public const int PublicKeySize = 32;
    public const int SignatureSize = 64;

    /// <summary>True when 32 bytes are a public key: the canonical encoding of a point that is not of small order.</summary>
    public static bool IsPublicKey(ReadOnlySpan<byte> publicKey) =>
        publicKey.Length == PublicKeySize && Curve.ValidatePublicKeyPartial(publicKey);

    /// <summary>
    /// True when the signature over the message is the key's. Refused besides: S from L up, encodings of R or the key that are not
    /// canonical, keys of small order. The equation is checked without the cofactor, as OpenSSH does.
    /// </summary>
    public static bool Verify(ReadOnlySpan<byte> publicKey, ReadOnlySpan<byte> message, ReadOnlySpan<byte> signature) =>
        signature.Length == SignatureSize && IsPublicKey(publicKey) && Curve.Verify(signature, publicKey, message);
}
