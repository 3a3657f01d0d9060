using System.Buffers;
using System.Security.Cryptography;
using Org.BouncyCastle.Crypto.Kems;
using Org.BouncyCastle.Crypto.Parameters;
using Transfer.Sftp.Crypto;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Kex;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>The server's half of a key exchange: of a Diffie-Hellman it is the same as the client's, of an encapsulation it is the other one.</summary>
internal static class ServerAgreement
{
    public static KeyAgreement Create(string method) => method == "mlkem768x25519-sha256" ? new MlKemX25519() : KexAlgorithm.Get(method).Create();

    private sealed class MlKemX25519 : KeyAgreement
    {
        private readonly byte[] _privateKey = RandomNumberGenerator.GetBytes(X25519.KeySize);
        private readonly byte[] _value = new byte[MlKem768.CiphertextSize + X25519.KeySize];

        public override HashAlgorithmName Hash => HashAlgorithmName.SHA256;

        /// <summary>Whole once the client's value was agreed on.</summary>
        public override ReadOnlyMemory<byte> PublicValue => _value;

        public override void Dispose()
        {
        }

        protected override byte[] AgreeOn(ReadOnlySpan<byte> peerValue)
        {
            var encapsulator = new MLKemEncapsulator(MLKemParameters.ml_kem_768);
            encapsulator.Init(MLKemPublicKeyParameters.FromEncoding(MLKemParameters.ml_kem_768, peerValue[..MlKem768.PublicKeySize].ToArray()));
            Span<byte> secrets = stackalloc byte[64];
            encapsulator.Encapsulate(_value.AsSpan(0, MlKem768.CiphertextSize), secrets[..32]);
            X25519.DerivePublicKey(_privateKey, _value.AsSpan(MlKem768.CiphertextSize));
            X25519.Agree(_privateKey, peerValue[MlKem768.PublicKeySize..], secrets[32..]);
            return SHA256.HashData(secrets);
        }

        protected override void WriteSecret(IBufferWriter<byte> writer, ReadOnlySpan<byte> secret) => writer.WriteString(secret);
    }
}
