using System.Numerics;
using System.Security.Cryptography;

namespace Transfer.Batch.Archive.Delta;

/// <summary>How a file is cut into blocks for the signature. All blocks have one length, except the last one, which may be shorter. A
/// remainder below <see cref="LeastBlock"/> is part of no block.</summary>
/// <param name="Length">The file's length.</param>
/// <param name="Block">A block's length.</param>
/// <param name="Strong">The number of bytes of a block's SHA-256 in the signature.</param>
internal readonly record struct BlockShape(long Length, int Block, int Strong)
{
    /// <summary>Shorter files travel whole: asking takes as long.</summary>
    public const int LeastLength = 16 << 10;

    /// <summary>The shortest block: the hash of a few bytes would give their content away.</summary>
    public const int LeastBlock = 512;

    public const int MostBlock = 4 << 20;
    public const int WeakLength = sizeof(uint);
    public const int LeastStrong = 8;
    public const int MostStrong = SHA256.HashSizeInBytes;

    /// <summary>The most blocks of a file, since signatures are held in memory.</summary>
    public const int MostBlocks = 1 << 19;

    /// <summary>Files beyond travel whole.</summary>
    public const long MostLength = (long)MostBlock * MostBlocks;

    // How many times longer a base may be than the file to be made.
    private const int MostTimesLonger = 4;

    // Beyond the bits that distinguish every block from every place of a file: one chance in four million of confusing two, which the hash
    // of the whole file reveals.
    private const int SpareBits = 22;

    // A few files are compared at once, and most are small.
    private const int UsualIndex = 512 << 10;

    // Recorded hashes need not travel, and the files' author may be hostile: two blocks with so many equal bytes can't be made.
    private const int OwnStrong = 16;

    /// <summary>The number of blocks.</summary>
    public int Blocks => (int)((Length + Block - LeastBlock) / Block);

    /// <summary>How many of them have the full length.</summary>
    public int FullBlocks => (int)(Length / Block);

    /// <summary>The bytes of a block in the signature.</summary>
    public int EntryLength => WeakLength + Strong;

    /// <summary>The bytes of the signature.</summary>
    public int SignatureLength => Blocks * EntryLength;

    /// <summary>Whether the shape is within the limits.</summary>
    public bool IsValid =>
        Length is >= 0 and <= MostLength && Block is >= LeastBlock and <= MostBlock && Strong is >= LeastStrong and <= MostStrong
        && (Length + Block - 1) / Block <= MostBlocks;

    /// <summary>Returns the shape for a file's length. Blocks are as long as there are many, which balances the signature's length against
    /// the cost of a change, and their length is a power of two, as that of database pages.</summary>
    public static BlockShape For(long length)
    {
        var bits = BitOperations.Log2((ulong)length);
        var block = Math.Clamp(1L << ((bits + 1) / 2), LeastBlock, MostBlock);
        while ((length + block - 1) / block > MostBlocks) block <<= 1;
        var needed = bits + BitOperations.Log2((ulong)((length + block - 1) / block)) + SpareBits;
        return new BlockShape(length, (int)block, Math.Max(LeastStrong, (needed + 7) / 8));
    }

    /// <summary>As <see cref="For"/>, for a signature that stays on this machine.</summary>
    public static BlockShape ForOwn(long length) => For(length) with { Strong = OwnStrong };

    /// <summary>Whether a delta is worth trying: a base that is far longer, or far shorter, has little in common with the file, and the
    /// signature would cost more than the delta saves.</summary>
    /// <param name="baseLength">The base's length.</param>
    /// <param name="length">The file's.</param>
    public static bool IsWorthwhile(long baseLength, long length) =>
        length is >= LeastLength and <= MostLength && baseLength is >= LeastLength and <= MostLength
        && baseLength / MostTimesLonger <= length && length / MostTimesLonger <= baseLength * MostTimesLonger;

    /// <summary>More bytes than any signature has that is an answer for a file of this length.</summary>
    public static int MostSignature(long length)
    {
        // Where blocks become longer, signatures become shorter by half.
        var most = For(Math.Min(length, MostLength / MostTimesLonger) * MostTimesLonger);
        return (int)Math.Min(2L * most.SignatureLength, (long)MostBlocks * most.EntryLength);
    }

    /// <summary>An upper bound of the memory for finding the blocks of such a signature in the file, beyond the memory that every file
    /// needs.</summary>
    public static int MostIndex(long length)
    {
        var most = For(Math.Min(length, MostLength / MostTimesLonger) * MostTimesLonger);
        return Math.Max(0, (2 * most.Block) + (SignatureIndex.MostBytesOfBlock * most.Blocks) - UsualIndex);
    }

    /// <summary>The length of blocks that follow each other.</summary>
    public long LengthOf(long first, long count) => Math.Min(Length, (first + count) * Block) - (first * Block);

    /// <summary>Computes the strong hash of a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="into">Receives as many bytes of the hash as there is room for.</param>
    public static void Hash(ReadOnlySpan<byte> block, Span<byte> into)
    {
        Span<byte> whole = stackalloc byte[MostStrong];
        SHA256.HashData(block, whole);
        whole[..into.Length].CopyTo(into);
    }
}
