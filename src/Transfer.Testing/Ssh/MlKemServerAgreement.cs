using System.Buffers;
using System.Security.Cryptography;
using Org.BouncyCastle.Crypto.Kems;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Prng;
using Org.BouncyCastle.Security;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Testing.Ssh;

/// <summary>
/// The server's half of mlkem768x25519-sha256 (draft-ietf-sshm-mlkem-hybrid-kex section 2): encapsulates a secret for the client's key.
/// </summary>
internal sealed class MlKemServerAgreement : KeyAgreement
{
    // The platform's: the default ones are none of the command compiled ahead (samples/Transfer.Cli/Trimmed.xml).
    private static readonly SecureRandom Random = new(new CryptoApiRandomGenerator());

    private readonly byte[] _privateKey = new byte[X25519.KeySize];
    private readonly byte[] _value = new byte[MlKem768.CiphertextSize + X25519.KeySize];

    public MlKemServerAgreement() => X25519.CreatePrivateKey(_privateKey);

    public override HashAlgorithmName Hash => HashAlgorithmName.SHA256;

    /// <summary>Whole once the client's value was agreed on.</summary>
    public override ReadOnlyMemory<byte> PublicValue => _value;

    public override void Dispose() => CryptographicOperations.ZeroMemory(_privateKey);

    protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue)
    {
        if (peerValue.Length != MlKem768.PublicKeySize + X25519.KeySize)
            throw new TransferException(TransferError.Protocol, "The client's value for mlkem768x25519-sha256 does not have 1216 bytes.");
        var encapsulator = new MLKemEncapsulator(MLKemParameters.ml_kem_768);
        encapsulator.Init(new ParametersWithRandom(Key(peerValue[..MlKem768.PublicKeySize]), Random));
        Span<byte> secrets = stackalloc byte[MlKem768.SecretSize + X25519.KeySize];
        encapsulator.Encapsulate(_value.AsSpan(0, MlKem768.CiphertextSize), secrets[..MlKem768.SecretSize]);
        X25519.DerivePublicKey(_privateKey, _value.AsSpan(MlKem768.CiphertextSize));
        X25519.Agree(_privateKey, peerValue[MlKem768.PublicKeySize..], secrets[MlKem768.SecretSize..]);
        var secret = SHA256.HashData(secrets);
        CryptographicOperations.ZeroMemory(secrets);
        return secret;
    }

    /// <summary>A string, where other methods have a number (section 2.4 of the draft).</summary>
    protected override void WriteSecret(IBufferWriter<byte> writer, ReadOnlySpan<byte> secret) => writer.WriteString(secret);

    private static MLKemPublicKeyParameters Key(ReadOnlySpan<byte> encoded)
    {
        try
        {
            return MLKemPublicKeyParameters.FromEncoding(MLKemParameters.ml_kem_768, encoded.ToArray());
        }
        catch (ArgumentException e)
        {
            throw new TransferException(TransferError.Protocol, "The client's ML-KEM key is not valid.", e);
        }
    }
}
