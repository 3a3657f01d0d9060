using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.Sftp.Crypto;

/// <summary>
/// Blowfish (Schneier, 1993) with the salted key schedule of bcrypt (Provos and Mazières, 1999): no more than <see cref="BcryptPbkdf"/>
/// needs.
/// </summary>
internal sealed class Blowfish : IDisposable
{
    private const int Rounds = 16;
    private const int SubkeyCount = Rounds + 2;
    private const int BoxSize = 256;

    private static readonly Lazy<uint[]> Pi = new(() => PiDigits.Words(SubkeyCount + (4 * BoxSize)));

    // The subkeys, then the four boxes: the order in which pi fills them and the key schedule replaces them.
    private readonly uint[] _state = GC.AllocateUninitializedArray<uint>(SubkeyCount + (4 * BoxSize), pinned: true);

    /// <summary>Back to the state before any key.</summary>
    public void Reset() => Pi.Value.CopyTo(_state, 0);

    /// <summary>
    /// Mixes in a key, and a salt between the encryptions (bcrypt's ExpandKey). An empty salt counts as zeros. Both are whole words.
    /// </summary>
    public void Expand(ReadOnlySpan<byte> salt, ReadOnlySpan<byte> key)
    {
        for (var i = 0; i < SubkeyCount; i++) _state[i] ^= BinaryPrimitives.ReadUInt32BigEndian(key[(4 * i % key.Length)..]);
        uint left = 0, right = 0;
        var at = 0;
        for (var i = 0; i < _state.Length; i += 2)
        {
            if (!salt.IsEmpty)
            {
                left ^= BinaryPrimitives.ReadUInt32BigEndian(salt[at..]);
                right ^= BinaryPrimitives.ReadUInt32BigEndian(salt[(at + 4)..]);
                at = (at + 8) % salt.Length;
            }

            Encrypt(ref left, ref right);
            _state[i] = left;
            _state[i + 1] = right;
        }
    }

    /// <summary>Encrypts one block of two words.</summary>
    public void Encrypt(ref uint left, ref uint right)
    {
        ReadOnlySpan<uint> subkeys = _state.AsSpan(0, SubkeyCount);
        ReadOnlySpan<uint> boxes = _state.AsSpan(SubkeyCount, 4 * BoxSize);
        var (a, b) = (left ^ subkeys[0], right);
        for (var i = 1; i <= Rounds; i += 2)
        {
            b ^= Mix(boxes, a) ^ subkeys[i];
            a ^= Mix(boxes, b) ^ subkeys[i + 1];
        }

        (left, right) = (b ^ subkeys[Rounds + 1], a);
    }

    public void Dispose() => CryptographicOperations.ZeroMemory(MemoryMarshal.AsBytes(_state.AsSpan()));

    private static uint Mix(ReadOnlySpan<uint> boxes, uint x) =>
        ((boxes[(int)(x >> 24)] + boxes[BoxSize + (int)(byte)(x >> 16)]) ^ boxes[(2 * BoxSize) + (int)(byte)(x >> 8)])
        + boxes[(3 * BoxSize) + (int)(byte)x];
}
