using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// Numbers modulo L, the order of edwards25519's base point (RFC 8032 section 5.1), as 32 bytes, little-endian.
/// Reduction shifts in one bit after the other and subtracts L by mask: slower than tricks with L's form, short, and constant-time to the eye.
/// </summary>
internal static class EdwardsScalar
{
    public const int Size = 32;

    // 2^252 + 27742317777372353535851937790883648493, lowest word first.
    private static readonly ulong[] L = [0x5812631A5CF5D3ED, 0x14DEF9DEA2F79CD6, 0, 0x1000000000000000];

    /// <summary>True when the number is below L. For public data.</summary>
    public static bool IsReduced(ReadOnlySpan<byte> scalar)
    {
        for (var i = 3; i >= 0; i--)
        {
            var word = BinaryPrimitives.ReadUInt64LittleEndian(scalar[(8 * i)..]);
            if (word != L[i]) return word < L[i];
        }

        return false;
    }

    /// <summary>A hash of 64 bytes modulo L.</summary>
    public static void Reduce(ReadOnlySpan<byte> hash, Span<byte> result)
    {
        Span<ulong> words = stackalloc ulong[8];
        Read(hash, words);
        Reduce(words, result);
    }

    /// <summary>a * b + c modulo L.</summary>
    public static void MultiplyAdd(ReadOnlySpan<byte> a, ReadOnlySpan<byte> b, ReadOnlySpan<byte> c, Span<byte> result)
    {
        Span<ulong> factors = stackalloc ulong[8];
        Read(a, factors[..4]);
        Read(b, factors[4..]);
        Span<ulong> sum = stackalloc ulong[8];
        sum.Clear();
        Read(c, sum[..4]);
        for (var i = 0; i < 4; i++)
        {
            ulong carry = 0;
            for (var j = 0; j < 4; j++)
            {
                var term = Math.BigMul(factors[i], factors[4 + j]) + sum[i + j] + carry;
                sum[i + j] = (ulong)term;
                carry = (ulong)(term >> 64);
            }

            for (var j = i + 4; j < 8; j++)
            {
                var term = (UInt128)sum[j] + carry;
                sum[j] = (ulong)term;
                carry = (ulong)(term >> 64);
            }
        }

        CryptographicOperations.ZeroMemory(MemoryMarshal.AsBytes(factors));
        Reduce(sum, result);
    }

    /// <summary>Eight words modulo L; the words are zeroed.</summary>
    private static void Reduce(Span<ulong> words, Span<byte> result)
    {
        Span<ulong> rest = stackalloc ulong[4];
        Span<ulong> less = stackalloc ulong[4];
        rest.Clear();
        for (var bit = 511; bit >= 0; bit--)
        {
            // rest < L < 2^253, so the doubled value fits and one subtraction is enough.
            var next = (words[bit >> 6] >> (bit & 63)) & 1;
            ulong borrow = 0;
            for (var i = 0; i < 4; i++)
            {
                var doubled = (rest[i] << 1) | next;
                next = rest[i] >> 63;
                rest[i] = doubled;
                var difference = (UInt128)doubled - L[i] - borrow;
                less[i] = (ulong)difference;
                borrow = (ulong)(difference >> 64) & 1;
            }

            var keep = 0 - borrow;
            for (var i = 0; i < 4; i++) rest[i] = less[i] ^ (keep & (less[i] ^ rest[i]));
        }

        for (var i = 0; i < 4; i++) BinaryPrimitives.WriteUInt64LittleEndian(result[(8 * i)..], rest[i]);
        CryptographicOperations.ZeroMemory(MemoryMarshal.AsBytes(words));
        CryptographicOperations.ZeroMemory(MemoryMarshal.AsBytes(rest));
        CryptographicOperations.ZeroMemory(MemoryMarshal.AsBytes(less));
    }

    private static void Read(ReadOnlySpan<byte> bytes, Span<ulong> words)
    {
        for (var i = 0; i < words.Length; i++) words[i] = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(8 * i)..]);
    }
}
