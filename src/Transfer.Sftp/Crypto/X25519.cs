using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>The Diffie-Hellman function X25519 (RFC 7748 sections 5 and 6.1). Keys and secrets have 32 bytes. Constant-time in the private key.</summary>
internal static class X25519
{
    public const int KeySize = 32;

    /// <summary>Fills in a fresh private key.</summary>
    public static void CreatePrivateKey(Span<byte> privateKey) => RandomNumberGenerator.Fill(privateKey[..KeySize]);

    /// <summary>The public key of a private key.</summary>
    public static void DerivePublicKey(ReadOnlySpan<byte> privateKey, Span<byte> publicKey)
    {
        Span<byte> basePoint = stackalloc byte[KeySize];
        basePoint.Clear();
        basePoint[0] = 9;
        Multiply(privateKey, basePoint, publicKey);
    }

    /// <summary>The shared secret with a peer. The caller zeroes it.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the peer's key has the wrong length, or a small order, which makes the secret all zero (RFC 7748 section 6.1, RFC 8731 section 3).</exception>
    public static void Agree(ReadOnlySpan<byte> privateKey, ReadOnlySpan<byte> peerPublicKey, Span<byte> sharedSecret)
    {
        if (peerPublicKey.Length != KeySize) throw new TransferException(TransferError.Protocol, "The peer's X25519 key does not have 32 bytes.");
        Multiply(privateKey, peerPublicKey, sharedSecret);
        var all = 0;
        foreach (var b in sharedSecret[..KeySize]) all |= b;
        if (all == 0) throw new TransferException(TransferError.Protocol, "The peer's X25519 key gives a shared secret that everybody knows.");
    }

    private static void Multiply(ReadOnlySpan<byte> privateKey, ReadOnlySpan<byte> point, Span<byte> result)
    {
        Span<byte> scalar = stackalloc byte[KeySize];
        privateKey[..KeySize].CopyTo(scalar);
        scalar[0] &= 248;
        scalar[31] &= 127;
        scalar[31] |= 64;
        Ladder(scalar, new FieldElement(point), result);
        CryptographicOperations.ZeroMemory(scalar);
    }

    /// <summary>The Montgomery ladder, with the RFC's names.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void Ladder(ReadOnlySpan<byte> scalar, in FieldElement x1, Span<byte> result)
    {
        var a24 = new FieldElement(121665);
        var (x2, z2, x3, z3) = (FieldElement.One, FieldElement.Zero, x1, FieldElement.One);
        ulong swap = 0;
        for (var bit = 254; bit >= 0; bit--)
        {
            var current = (ulong)(scalar[bit >> 3] >> (bit & 7)) & 1;
            swap ^= current;
            Swap(ref x2, ref x3, swap);
            Swap(ref z2, ref z3, swap);
            swap = current;

            var a = x2 + z2;
            var aa = a * a;
            var b = x2 - z2;
            var bb = b * b;
            var e = aa - bb;
            var da = (x3 - z3) * a;
            var cb = (x3 + z3) * b;
            x3 = (da + cb).Squared();
            z3 = x1 * (da - cb).Squared();
            x2 = aa * bb;
            z2 = e * (aa + (a24 * e));
        }

        Swap(ref x2, ref x3, swap);
        Swap(ref z2, ref z3, swap);
        (x2 * z2.Inverted()).CopyTo(result);
    }

    private static void Swap(ref FieldElement a, ref FieldElement b, ulong swap) =>
        (a, b) = (FieldElement.Select(a, b, swap), FieldElement.Select(b, a, swap));
}
