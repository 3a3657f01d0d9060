namespace Transfer.Batch.Archive.Delta;

/// <summary>How a file is made of what the receiver has under its name. Bytes that are not there are read from the file when it is packed.</summary>
internal sealed class FileDelta
{
    // What is copied is read and written at the receiver: an archive of deltas has this many times the content of others.
    private const int LighterBy = 8;

    // A file may be made of another one twice over. One archive after the other may do so once more: what is left then is what the disk holds.
    private const int MostTimes = 2;

    private static readonly byte[] NoHash = new byte[32];

    /// <summary>What the receiver would leave as it is: only the name travels, and the receiver judges. If it thinks otherwise then, the file goes whole.</summary>
    public static FileDelta NameOnly { get; } = new() { Shape = new BlockShape(0, BlockShape.LeastBlock, BlockShape.LeastStrong), Instructions = default, Literals = 0, Hash = NoHash, Length = 0 };

    /// <summary>What it is made of.</summary>
    public required BlockShape Shape { get; init; }

    /// <summary>The steps, without their literals.</summary>
    public required ReadOnlyMemory<byte> Instructions { get; init; }

    /// <summary>Bytes of all literals.</summary>
    public required long Literals { get; init; }

    /// <summary>SHA-256 of the file.</summary>
    public required byte[] Hash { get; init; }

    /// <summary>SHA-256 of what it is made of; null: not known here.</summary>
    public byte[]? BaseHash { get; init; }

    /// <summary>The file's length; 0 where none of it is made.</summary>
    public required long Length { get; init; }

    /// <summary>Bytes that travel.</summary>
    public long BodyLength => Instructions.Length + Literals;

    /// <summary>The longest file that is made of a base by instructions of some length.</summary>
    public static long MostLength(long baseLength, long bodyLength) => (MostTimes * baseLength) + bodyLength;

    /// <summary>How much of an archive's room it takes.</summary>
    public long Weight => Math.Max(BodyLength, Length / LighterBy);
}
