using System.Security.Cryptography;
using Transfer.Sftp.Crypto;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>Diffie-Hellman over Curve25519 (RFC 8731).</summary>
internal sealed class Curve25519Agreement : KeyAgreement
{
    private readonly byte[] _privateKey = new byte[X25519.KeySize];

    public Curve25519Agreement()
    {
        X25519.CreatePrivateKey(_privateKey);
        var publicKey = new byte[X25519.KeySize];
        X25519.DerivePublicKey(_privateKey, publicKey);
        PublicValue = publicKey;
    }

    public override HashAlgorithmName Hash => HashAlgorithmName.SHA256;

    public override ReadOnlyMemory<byte> PublicValue { get; }

    public override void Dispose() => CryptographicOperations.ZeroMemory(_privateKey);

    protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue)
    {
        // The 32 bytes are read as a big-endian magnitude when they enter the hash (RFC 8731 section 3.1).
        var secret = new byte[X25519.KeySize];
        X25519.Agree(_privateKey, peerValue, secret);
        return secret;
    }
}
