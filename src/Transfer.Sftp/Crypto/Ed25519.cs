using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>Verification of Ed25519 signatures (RFC 8032 section 5.1.7). Signing is <see cref="Ed25519PrivateKey"/>'s.</summary>
internal static class Ed25519
{
    public const int SeedSize = 32;
    public const int PublicKeySize = 32;
    public const int SignatureSize = 64;

    /// <summary>True when 32 bytes are a public key: the canonical encoding of a point that is not of small order.</summary>
    public static bool IsPublicKey(ReadOnlySpan<byte> publicKey) => EdwardsPoint.TryDecode(publicKey, out var point) && !point.HasSmallOrder();

    /// <summary>
    /// True when the signature is the key's over the message. Refused besides: S from L up, encodings of R or the key that are not canonical, keys of small order.
    /// The equation is checked without the cofactor, as OpenSSH does.
    /// </summary>
    public static bool Verify(ReadOnlySpan<byte> publicKey, ReadOnlySpan<byte> message, ReadOnlySpan<byte> signature)
    {
        if (signature.Length != SignatureSize || !EdwardsPoint.TryDecode(publicKey, out var key) || key.HasSmallOrder()) return false;
        var r = signature[..32];
        var s = signature[32..];
        if (!EdwardsScalar.IsReduced(s)) return false;

        Span<byte> challenge = stackalloc byte[EdwardsScalar.Size];
        Challenge(r, publicKey, message, challenge);
        var expected = EdwardsMultiples.OfBasePoint.Times(s) + new EdwardsMultiples(-key).Times(challenge);
        Span<byte> encoded = stackalloc byte[EdwardsPoint.Size];
        expected.CopyTo(encoded);
        return encoded.SequenceEqual(r);
    }

    /// <summary>SHA-512(R || A || M) modulo L.</summary>
    internal static void Challenge(ReadOnlySpan<byte> r, ReadOnlySpan<byte> publicKey, ReadOnlySpan<byte> message, Span<byte> challenge)
    {
        using var sha512 = IncrementalHash.CreateHash(HashAlgorithmName.SHA512);
        sha512.AppendData(r);
        sha512.AppendData(publicKey);
        sha512.AppendData(message);
        Span<byte> hash = stackalloc byte[SHA512.HashSizeInBytes];
        sha512.GetHashAndReset(hash);
        EdwardsScalar.Reduce(hash, challenge);
    }
}
