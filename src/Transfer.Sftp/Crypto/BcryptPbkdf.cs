using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// bcrypt_pbkdf, OpenBSD's and OpenSSH's derivation of a key from a passphrase (bcrypt_pbkdf(3)): PBKDF2's shape over bcrypt with SHA-512
/// in front, and the output bytes interleaved so that any part of the key needs every block.
/// </summary>
internal static class BcryptPbkdf
{
    /// <summary>The limit of rounds, a minute or two of work: more rounds are an attack by a file.</summary>
    public const int MaximumRounds = 10_000;

    private const int BlockSize = 32;
    private const int Repetitions = 64;

    /// <summary>Fills the key. Checks the token once a round.</summary>
    public static void Derive(ReadOnlySpan<byte> passphrase, ReadOnlySpan<byte> salt, int rounds, Span<byte> key, CancellationToken ct)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(rounds, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(rounds, MaximumRounds);
        Span<byte> hashedPassphrase = stackalloc byte[SHA512.HashSizeInBytes];
        Span<byte> hashedSalt = stackalloc byte[SHA512.HashSizeInBytes];
        Span<byte> block = stackalloc byte[BlockSize];
        Span<byte> sum = stackalloc byte[BlockSize];
        var numberedSalt = new byte[salt.Length + 4];
        salt.CopyTo(numberedSalt);
        using var blowfish = new Blowfish();
        SHA512.HashData(passphrase, hashedPassphrase);

        var stride = (key.Length + BlockSize - 1) / BlockSize;
        for (var number = 1; number <= stride; number++)
        {
            BinaryPrimitives.WriteInt32BigEndian(numberedSalt.AsSpan(salt.Length), number);
            SHA512.HashData(numberedSalt, hashedSalt);
            Hash(blowfish, hashedPassphrase, hashedSalt, block);
            block.CopyTo(sum);
            for (var round = 1; round < rounds; round++)
            {
                ct.ThrowIfCancellationRequested();
                SHA512.HashData(block, hashedSalt);
                Hash(blowfish, hashedPassphrase, hashedSalt, block);
                for (var i = 0; i < BlockSize; i++) sum[i] ^= block[i];
            }

            for (int i = 0, at = number - 1; i < BlockSize && at < key.Length; i++, at += stride) key[at] = sum[i];
        }

        CryptographicOperations.ZeroMemory(hashedPassphrase);
        CryptographicOperations.ZeroMemory(block);
        CryptographicOperations.ZeroMemory(sum);
    }

    /// <summary>The bcrypt of 2^6 expansions over a text of 32 bytes.</summary>
    private static void Hash(Blowfish blowfish, ReadOnlySpan<byte> passphrase, ReadOnlySpan<byte> salt, Span<byte> result)
    {
        blowfish.Reset();
        blowfish.Expand(salt, passphrase);
        for (var i = 0; i < Repetitions; i++)
        {
            blowfish.Expand([], salt);
            blowfish.Expand([], passphrase);
        }

        var text = "OxychromaticBlowfishSwatDynamite"u8;
        for (var at = 0; at < BlockSize; at += 8)
        {
            var left = BinaryPrimitives.ReadUInt32BigEndian(text[at..]);
            var right = BinaryPrimitives.ReadUInt32BigEndian(text[(at + 4)..]);
            for (var i = 0; i < Repetitions; i++) blowfish.Encrypt(ref left, ref right);
            BinaryPrimitives.WriteUInt32LittleEndian(result[at..], left);
            BinaryPrimitives.WriteUInt32LittleEndian(result[(at + 4)..], right);
        }
    }
}
