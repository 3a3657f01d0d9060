using System.Security.Cryptography;
using Curve = Org.BouncyCastle.Math.EC.Rfc8032.Ed25519;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// An Ed25519 private key (RFC 8032 sections 5.1.5 and 5.1.6). The public key is always derived, never taken from outside: a signature
/// made with another one would give the key away.
/// </summary>
internal sealed class Ed25519PrivateKey : IDisposable
{
    // Pinned, so that the collector leaves no copies behind.
    private readonly byte[] _seed = GC.AllocateUninitializedArray<byte>(Ed25519.SeedSize, pinned: true);
    private readonly byte[] _publicKey = new byte[Ed25519.PublicKeySize];
    private bool _disposed;

    public Ed25519PrivateKey(ReadOnlySpan<byte> seed)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(seed.Length, Ed25519.SeedSize);
        seed.CopyTo(_seed);
        Curve.GeneratePublicKey(_seed, _publicKey);
    }

    public ReadOnlySpan<byte> PublicKey => _publicKey;

    /// <summary>The signature, 64 bytes.</summary>
    public byte[] Sign(ReadOnlySpan<byte> message)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        var signature = new byte[Ed25519.SignatureSize];
        // As a span: an array in this place is taken for the context of Ed25519ctx, another algorithm.
        Curve.Sign(_seed, PublicKey, message, signature);
        return signature;
    }

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(_seed);
        _disposed = true;
    }
}
