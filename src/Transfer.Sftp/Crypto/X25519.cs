using System.Security.Cryptography;
using Curve = Org.BouncyCastle.Math.EC.Rfc7748.X25519;

namespace Transfer.Sftp.Crypto;

/// <summary>The Diffie-Hellman function X25519 (RFC 7748 sections 5 and 6.1), by BouncyCastle. Keys and secrets have 32 bytes.</summary>
internal static class X25519
{
    public const int KeySize = 32;

    /// <summary>Fills in a fresh private key.</summary>
    public static void CreatePrivateKey(Span<byte> privateKey) => RandomNumberGenerator.Fill(privateKey[..KeySize]);

    /// <summary>The public key of a private key.</summary>
    public static void DerivePublicKey(ReadOnlySpan<byte> privateKey, Span<byte> publicKey) => Curve.ScalarMultBase(privateKey, publicKey);

    /// <summary>Computes the shared secret with a peer. The caller zeroes the secret.</summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: the peer's key has the wrong length, or a small order, which makes the secret all zero (RFC
    /// 7748 section 6.1, RFC 8731 section 3).
    /// </exception>
    public static void Agree(ReadOnlySpan<byte> privateKey, ReadOnlySpan<byte> peerPublicKey, Span<byte> sharedSecret)
    {
        if (peerPublicKey.Length != KeySize)
            throw new TransferException(TransferError.Protocol, "The peer's X25519 key does not have 32 bytes.");
        if (!Curve.CalculateAgreement(privateKey, peerPublicKey, sharedSecret))
            throw new TransferException(TransferError.Protocol, "The peer's X25519 key gives a shared secret that everybody knows.");
    }
}
