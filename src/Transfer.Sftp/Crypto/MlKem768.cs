using System.Security.Cryptography;
using Org.BouncyCastle.Crypto.Kems;
using Org.BouncyCastle.Crypto.Parameters;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// One key pair of ML-KEM-768 (FIPS 203), by BouncyCastle: the platform has the mechanism only with OpenSSL 3.5 and later and on new
/// Windows.
/// </summary>
internal sealed class MlKem768
{
    public const int SeedSize = 64;
    public const int PublicKeySize = 1184;
    public const int CiphertextSize = 1088;
    public const int SecretSize = 32;

    private readonly MLKemDecapsulator _decapsulator = new(MLKemParameters.ml_kem_768);

    /// <param name="seed">d and z of FIPS 203 section 7.1, 64 random bytes.</param>
    public MlKem768(byte[] seed)
    {
        var key = MLKemPrivateKeyParameters.FromSeed(MLKemParameters.ml_kem_768, seed);
        _decapsulator.Init(key);
        PublicKey = key.GetPublicKeyEncoded();
    }

    /// <summary>The encapsulation key.</summary>
    public ReadOnlyMemory<byte> PublicKey { get; }

    /// <summary>A fresh pair.</summary>
    public static MlKem768 Create()
    {
        var seed = RandomNumberGenerator.GetBytes(SeedSize);
        var pair = new MlKem768(seed);
        CryptographicOperations.ZeroMemory(seed);
        return pair;
    }

    /// <summary>
    /// Opens the secret that a peer has encapsulated. A forged ciphertext gives a secret that no peer has (FIPS 203 section 6.3).
    /// </summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: the ciphertext has the wrong length.</exception>
    public void Decapsulate(ReadOnlySpan<byte> ciphertext, Span<byte> secret)
    {
        if (ciphertext.Length != CiphertextSize)
            throw new TransferException(TransferError.Protocol, $"The peer's ML-KEM ciphertext does not have {CiphertextSize} bytes.");
        _decapsulator.Decapsulate(ciphertext, secret[..SecretSize]);
    }
}
