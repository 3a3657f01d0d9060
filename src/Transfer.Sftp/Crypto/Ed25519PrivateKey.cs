using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// An Ed25519 private key (RFC 8032 sections 5.1.5 and 5.1.6). The public key is always derived, never taken from outside: a signature
/// made with another one would give the key away.
/// </summary>
internal sealed class Ed25519PrivateKey : IDisposable
{
    // The scalar, then the prefix that makes nonces; pinned, so that the collector leaves no copies behind.
    private readonly byte[] _expanded = GC.AllocateUninitializedArray<byte>(SHA512.HashSizeInBytes, pinned: true);
    private readonly byte[] _publicKey = new byte[Ed25519.PublicKeySize];
    private bool _disposed;

    public Ed25519PrivateKey(ReadOnlySpan<byte> seed)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(seed.Length, Ed25519.SeedSize);
        SHA512.HashData(seed, _expanded);
        _expanded[0] &= 248;
        _expanded[31] &= 127;
        _expanded[31] |= 64;
        EdwardsMultiples.OfBasePoint.Times(Scalar).CopyTo(_publicKey);
    }

    public ReadOnlySpan<byte> PublicKey => _publicKey;

    private ReadOnlySpan<byte> Scalar => _expanded.AsSpan(0, 32);

    private ReadOnlySpan<byte> Prefix => _expanded.AsSpan(32);

    /// <summary>The signature, 64 bytes.</summary>
    public byte[] Sign(ReadOnlySpan<byte> message)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        Span<byte> hash = stackalloc byte[SHA512.HashSizeInBytes];
        Span<byte> nonce = stackalloc byte[EdwardsScalar.Size];
        using (var sha512 = IncrementalHash.CreateHash(HashAlgorithmName.SHA512))
        {
            sha512.AppendData(Prefix);
            sha512.AppendData(message);
            sha512.GetHashAndReset(hash);
        }

        EdwardsScalar.Reduce(hash, nonce);
        var signature = new byte[Ed25519.SignatureSize];
        EdwardsMultiples.OfBasePoint.Times(nonce).CopyTo(signature);

        Span<byte> challenge = stackalloc byte[EdwardsScalar.Size];
        Ed25519.Challenge(signature.AsSpan(0, 32), _publicKey, message, challenge);
        EdwardsScalar.MultiplyAdd(challenge, Scalar, nonce, signature.AsSpan(32));
        CryptographicOperations.ZeroMemory(hash);
        CryptographicOperations.ZeroMemory(nonce);
        return signature;
    }

    public void Dispose()
    {
        CryptographicOperations.ZeroMemory(_expanded);
        _disposed = true;
    }
}
