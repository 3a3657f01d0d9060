using System.Buffers;
using System.Numerics;
using System.Security.Cryptography;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Keys;

/// <summary>
/// <c>ssh-rsa</c> keys with SHA-2 signatures (RFC 8332). Moduli from 2,048 to 16,384 bits: shorter ones are weak, longer ones only cost
/// time.
/// </summary>
internal sealed class RsaPublicKey : SshPublicKey
{
    public const int MinimumBits = 2048;
    public const int MaximumBits = 16384;

    private static readonly string[] Algorithms = [KeyAlgorithms.RsaSha512, KeyAlgorithms.RsaSha256];

    private readonly RSAParameters _parameters;

    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: no RSA key; <see cref="TransferError.Unsupported"/>: too short or too long.
    /// </exception>
    public RsaPublicKey(ReadOnlySpan<byte> exponent, ReadOnlySpan<byte> modulus)
    {
        exponent = exponent.TrimStart((byte)0);
        modulus = modulus.TrimStart((byte)0);
        if (modulus.IsEmpty || exponent.IsEmpty || exponent.Length > 8 || exponent is [1] || (exponent[^1] & modulus[^1] & 1) == 0)
            throw new TransferException(TransferError.Protocol, "An RSA public key is not valid.");
        Bits = (8 * (modulus.Length - 1)) + 8 - BitOperations.LeadingZeroCount((uint)modulus[0] << 24);
        if (Bits is < MinimumBits or > MaximumBits)
        {
            throw new TransferException(TransferError.Unsupported,
                $"An RSA key has {Bits} bits; {MinimumBits} to {MaximumBits} are accepted.");
        }

        _parameters = new RSAParameters { Exponent = exponent.ToArray(), Modulus = modulus.ToArray() };
        var writer = new ArrayBufferWriter<byte>();
        writer.WriteString(KeyAlgorithms.RsaKey);
        writer.WriteUnsignedInteger(exponent);
        writer.WriteUnsignedInteger(modulus);
        Blob = writer.WrittenMemory;
    }

    public override string Type => KeyAlgorithms.RsaKey;

    /// <summary>The modulus's length in bits.</summary>
    public override int Bits { get; }

    public override ReadOnlyMemory<byte> Blob { get; }

    public override IReadOnlyList<string> SignatureAlgorithms => Algorithms;

    public override bool Verify(string algorithm, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        if (HashOf(algorithm) is not { } hash) return false;
        var inner = SignatureBlob.Read(signature, algorithm);
        var size = _parameters.Modulus!.Length;
        if (inner.IsEmpty || inner.Length > size) return false;

        // Some servers strip leading zeros; the platform requires the modulus's length.
        var padded = new byte[size];
        inner.CopyTo(padded.AsSpan(size - inner.Length));
        using var rsa = RSA.Create(_parameters);
        return rsa.VerifyData(data, padded, hash, RSASignaturePadding.Pkcs1);
    }

    /// <summary>The hash of an RSA signature algorithm, or null for one that is not in RFC 8332.</summary>
    internal static HashAlgorithmName? HashOf(string algorithm) => algorithm switch
    {
        KeyAlgorithms.RsaSha256 => HashAlgorithmName.SHA256,
        KeyAlgorithms.RsaSha512 => HashAlgorithmName.SHA512,
        _ => null,
    };
}
