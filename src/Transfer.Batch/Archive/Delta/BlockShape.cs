using System.Numerics;
using System.Security.Cryptography;

namespace Transfer.Batch.Archive.Delta;

/// <summary>How a file is cut into blocks for its signature; all are of one length, but for the last one, which may be shorter. What is too short for a block is part of none.</summary>
/// <param name="Length">The file's length.</param>
/// <param name="Block">A block's length.</param>
/// <param name="Strong">How many bytes of a block's SHA-256 its signature has.</param>
internal readonly record struct BlockShape(long Length, int Block, int Strong)
{
    /// <summary>Shorter files travel whole: asking takes as long.</summary>
    public const int LeastLength = 16 << 10;

    /// <summary>Of less nothing is told: the hash of a few bytes says which they are.</summary>
    public const int LeastBlock = 512;

    public const int MostBlock = 4 << 20;
    public const int WeakLength = sizeof(uint);
    public const int LeastStrong = 8;
    public const int MostStrong = SHA256.HashSizeInBytes;

    /// <summary>Most blocks of a file: what their signatures take is held in memory.</summary>
    public const int MostBlocks = 1 << 19;

    /// <summary>Files beyond travel whole.</summary>
    public const long MostLength = (long)MostBlock * MostBlocks;

    // By how much a base may be longer than what is to be made of it.
    private const int MostTimesLonger = 4;

    // Beyond what tells every block from every place of a file: one chance in four million that two are mixed up, which the hash of the whole finds out.
    private const int SpareBits = 22;

    // A few files are compared at once, and most are small.
    private const int UsualIndex = 512 << 10;

    // What is remembered of blocks need not travel, and whoever writes the files may be no friend: nobody makes two blocks that are alike so far.
    private const int OwnStrong = 16;

    /// <summary>How many blocks there are.</summary>
    public int Blocks => (int)((Length + Block - LeastBlock) / Block);

    /// <summary>How many of them have the full length.</summary>
    public int FullBlocks => (int)(Length / Block);

    /// <summary>Bytes that each has in the signature.</summary>
    public int EntryLength => WeakLength + Strong;

    /// <summary>Bytes of the signature.</summary>
    public int SignatureLength => Blocks * EntryLength;

    /// <summary>False: nobody here would cut a file so.</summary>
    public bool IsValid => Length is >= 0 and <= MostLength && Block is >= LeastBlock and <= MostBlock && Strong is >= LeastStrong and <= MostStrong && (Length + Block - 1) / Block <= MostBlocks;

    /// <summary>For a file's length: blocks as long as there are many, so that what is sent of each and what a change costs keep each other in balance, and
    /// powers of two, as the pages of databases are.</summary>
    public static BlockShape For(long length)
    {
        var bits = BitOperations.Log2((ulong)length);
        var block = Math.Clamp(1L << ((bits + 1) / 2), LeastBlock, MostBlock);
        while ((length + block - 1) / block > MostBlocks) block <<= 1;
        var needed = bits + BitOperations.Log2((ulong)((length + block - 1) / block)) + SpareBits;
        return new BlockShape(length, (int)block, Math.Max(LeastStrong, (needed + 7) / 8));
    }

    /// <summary>As <see cref="For"/>, for a signature that stays where it was made.</summary>
    public static BlockShape ForOwn(long length) => For(length) with { Strong = OwnStrong };

    /// <summary>Whether a delta is tried at all: a base that is far longer, or far shorter, has little in common with the file, and its signature would be too long for what it is worth.</summary>
    /// <param name="baseLength">The base's length.</param>
    /// <param name="length">The file's.</param>
    public static bool IsWorthwhile(long baseLength, long length) =>
        length is >= LeastLength and <= MostLength && baseLength is >= LeastLength and <= MostLength && baseLength / MostTimesLonger <= length && length / MostTimesLonger <= baseLength * MostTimesLonger;

    /// <summary>More bytes than any signature has that is an answer for a file of this length.</summary>
    public static int MostSignature(long length)
    {
        // Where blocks become longer, signatures become shorter by half.
        var most = For(Math.Min(length, MostLength / MostTimesLonger) * MostTimesLonger);
        return (int)Math.Min(2L * most.SignatureLength, (long)MostBlocks * most.EntryLength);
    }

    /// <summary>More bytes than it takes to look for the blocks of such a signature in the file, beyond what every file takes.</summary>
    public static int MostIndex(long length)
    {
        var most = For(Math.Min(length, MostLength / MostTimesLonger) * MostTimesLonger);
        return Math.Max(0, (2 * most.Block) + (SignatureIndex.MostBytesOfBlock * most.Blocks) - UsualIndex);
    }

    /// <summary>The length of blocks that follow each other.</summary>
    public long LengthOf(long first, long count) => Math.Min(Length, (first + count) * Block) - (first * Block);

    /// <summary>The strong hash of a block.</summary>
    /// <param name="block">The block.</param>
    /// <param name="into">As many bytes as are wanted of it.</param>
    public static void Hash(ReadOnlySpan<byte> block, Span<byte> into)
    {
        Span<byte> whole = stackalloc byte[MostStrong];
        SHA256.HashData(block, whole);
        whole[..into.Length].CopyTo(into);
    }
}
