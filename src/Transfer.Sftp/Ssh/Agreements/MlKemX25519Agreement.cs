using System.Buffers;
using System.Security.Cryptography;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Agreements;

/// <summary>
/// The client's half of mlkem768x25519-sha256 (draft-ietf-sshm-mlkem-hybrid-kex section 2): ML-KEM-768 and X25519 at once, so that traffic
/// recorded today stays secret while either of them holds.
/// </summary>
internal sealed class MlKemX25519Agreement : KeyAgreement
{
    private readonly MlKem768 _mlKem = MlKem768.Create();
    private readonly byte[] _privateKey = new byte[X25519.KeySize];

    public MlKemX25519Agreement()
    {
        X25519.CreatePrivateKey(_privateKey);
        var value = new byte[MlKem768.PublicKeySize + X25519.KeySize];
        _mlKem.PublicKey.CopyTo(value);
        X25519.DerivePublicKey(_privateKey, value.AsSpan(MlKem768.PublicKeySize));
        PublicValue = value;
    }

    public override HashAlgorithmName Hash => HashAlgorithmName.SHA256;

    public override ReadOnlyMemory<byte> PublicValue { get; }

    public override void Dispose() => CryptographicOperations.ZeroMemory(_privateKey);

    /// <summary>The hash of both secrets, the post-quantum one first.</summary>
    protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue)
    {
        if (peerValue.Length != MlKem768.CiphertextSize + X25519.KeySize)
            throw new TransferException(TransferError.Protocol, "The server's value for mlkem768x25519-sha256 does not have 1120 bytes.");
        Span<byte> secrets = stackalloc byte[MlKem768.SecretSize + X25519.KeySize];
        _mlKem.Decapsulate(peerValue[..MlKem768.CiphertextSize], secrets);
        X25519.Agree(_privateKey, peerValue[MlKem768.CiphertextSize..], secrets[MlKem768.SecretSize..]);
        var secret = SHA256.HashData(secrets);
        CryptographicOperations.ZeroMemory(secrets);
        return secret;
    }

    /// <summary>A string, where other methods have a number (section 2.4 of the draft).</summary>
    protected override void WriteSecret(IBufferWriter<byte> writer, ReadOnlySpan<byte> secret) => writer.WriteString(secret);
}
