using System.Numerics;

namespace Transfer.Batch.Archive.Delta;

/// <summary>Finds a block by the hashes. Nearly all windows that are not blocks fail one look at a bit map that fits a processor's
/// cache.</summary>
internal sealed class SignatureIndex
{
    /// <summary>The most bytes of the index for each block: the bit map and the heads have twice as many places as there are blocks, and
    /// more.</summary>
    public const int MostBytesOfBlock = 30;

    // Bits of the map for each block, as a power of two.
    private const int FilterBits = 6;
    private const int LeastFilterBits = 12;

    // The most blocks kept with the same weak hash: further ones are equal blocks, or forged.
    private const int MostAlike = 16;

    private readonly BaseSignature _signature;
    private readonly ulong[] _filter;
    private readonly int[] _heads;
    private readonly int[] _next;
    private readonly int _headShift;

    public SignatureIndex(BaseSignature signature)
    {
        _signature = signature;
        var blocks = signature.Shape.FullBlocks;
        var bits = BitOperations.Log2((uint)Math.Max(1, blocks)) + 1;
        var filterBits = Math.Max(LeastFilterBits, bits + FilterBits);
        FilterShift = 64 - filterBits;
        _filter = new ulong[1 << (filterBits - 6)];
        _headShift = 32 - bits;
        _heads = new int[1 << bits];
        _next = new int[blocks];
        var alike = new byte[_heads.Length];
        // From the last one on, so that the first is found first. Numbers are one higher here: 0 is none.
        for (var block = blocks - 1; block >= 0; block--)
        {
            var weak = signature.Weak(block);
            ref var head = ref _heads[weak >> _headShift];
            if (alike[weak >> _headShift]++ >= MostAlike)
            {
                alike[weak >> _headShift] = MostAlike;
                continue;
            }
            _next[block] = head;
            head = block + 1;
            var bit = (int)(weak >> (FilterShift - 32));
            _filter[bit >> 6] |= 1UL << bit;
        }
    }

    /// <summary>The number of bits by which a rolling hash is shifted to give the bit in <see cref="Filter"/>.</summary>
    public int FilterShift { get; }

    /// <summary>A bit for the upper bits of each block's weak hash.</summary>
    public ReadOnlySpan<ulong> Filter => _filter;

    /// <summary>Whether a block has this weak hash.</summary>
    public bool Has(uint weak)
    {
        for (var block = _heads[weak >> _headShift] - 1; block >= 0; block = _next[block] - 1)
        {
            if (_signature.Weak(block) == weak) return true;
        }
        return false;
    }

    /// <summary>Returns the block equal to a window; -1: none.</summary>
    /// <param name="window">The window, as long as a block.</param>
    /// <param name="weak">The window's weak hash.</param>
    /// <param name="expected">The block that is likely.</param>
    /// <param name="strong">Room for a strong hash.</param>
    /// <param name="hashed">Whether the strong hash had to be computed.</param>
    public int Find(ReadOnlySpan<byte> window, uint weak, int expected, Span<byte> strong, out bool hashed)
    {
        hashed = false;
        if (expected < _next.Length && _signature.Weak(expected) == weak)
        {
            Hash(window, strong, ref hashed);
            if (_signature.Strong(expected).SequenceEqual(strong)) return expected;
        }
        for (var block = _heads[weak >> _headShift] - 1; block >= 0; block = _next[block] - 1)
        {
            if (_signature.Weak(block) != weak) continue;
            Hash(window, strong, ref hashed);
            if (_signature.Strong(block).SequenceEqual(strong)) return block;
        }
        return -1;
    }

    private static void Hash(ReadOnlySpan<byte> window, Span<byte> strong, ref bool hashed)
    {
        if (hashed) return;
        BlockShape.Hash(window, strong);
        hashed = true;
    }
}
