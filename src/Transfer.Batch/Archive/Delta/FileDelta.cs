namespace Transfer.Batch.Archive.Delta;

/// <summary>The delta between a file and the receiver's version. Literal bytes are read from the file when the archive is packed.</summary>
internal sealed class FileDelta
{
    // Copied blocks are read and written at the receiver: an archive of deltas makes this many times the content of other archives.
    private const int LighterBy = 8;

    // A file may be made of another one twice over. Further archives may do so once more each: the only limit then is the disk.
    private const int MostTimes = 2;

    private static readonly byte[] NoHash = new byte[32];

    /// <summary>The delta for a file that the receiver would skip: only the name travels, and the receiver decides. On another decision
    /// then, the file goes whole.</summary>
    public static FileDelta NameOnly { get; } = new()
    {
        Shape = new BlockShape(0, BlockShape.LeastBlock, BlockShape.LeastStrong),
        Instructions = default,
        Literals = 0,
        Hash = NoHash,
        Length = 0
    };

    /// <summary>The shape of the base.</summary>
    public required BlockShape Shape { get; init; }

    /// <summary>The steps, without their literals.</summary>
    public required ReadOnlyMemory<byte> Instructions { get; init; }

    /// <summary>The bytes of all literals.</summary>
    public required long Literals { get; init; }

    /// <summary>SHA-256 of the file.</summary>
    public required byte[] Hash { get; init; }

    /// <summary>The SHA-256 of the base; null: not known here.</summary>
    public byte[]? BaseHash { get; init; }

    /// <summary>The file's length; 0 for <see cref="NameOnly"/>.</summary>
    public required long Length { get; init; }

    /// <summary>The bytes that travel.</summary>
    public long BodyLength => Instructions.Length + Literals;

    /// <summary>The longest file that is made of a base by instructions of some length.</summary>
    public static long MostLength(long baseLength, long bodyLength) => (MostTimes * baseLength) + bodyLength;

    /// <summary>The share of an archive's bytes that the delta counts for.</summary>
    public long Weight => Math.Max(BodyLength, Length / LighterBy);
}
