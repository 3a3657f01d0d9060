using System.Buffers.Binary;

namespace Transfer.Batch.Archive.Delta;

/// <summary>The weak and strong hashes of a file's blocks, sent by the receiver or recorded by the sender. They arrive in parts.</summary>
internal sealed class BaseSignature
{
    private readonly byte[] _entries;
    private int _filled;

    /// <param name="shape">The file's; valid.</param>
    public BaseSignature(BlockShape shape)
    {
        Shape = shape;
        _entries = new byte[shape.SignatureLength];
    }

    public BlockShape Shape { get; }

    /// <summary>SHA-256 of the whole file; null: not known.</summary>
    public byte[]? Hash { get; init; }

    /// <summary>Adds the next part.</summary>
    /// <param name="entries">Not longer than the missing rest.</param>
    public void Add(ReadOnlySpan<byte> entries)
    {
        entries.CopyTo(_entries.AsSpan(_filled));
        _filled += entries.Length;
    }

    public uint Weak(int block) => BinaryPrimitives.ReadUInt32BigEndian(_entries.AsSpan(block * Shape.EntryLength));

    public ReadOnlySpan<byte> Strong(int block) => _entries.AsSpan((block * Shape.EntryLength) + BlockShape.WeakLength, Shape.Strong);

    /// <summary>Writes a block's entry.</summary>
    public static void WriteEntry(ReadOnlySpan<byte> block, Span<byte> into)
    {
        BinaryPrimitives.WriteUInt32BigEndian(into, RollingHash.Weak(RollingHash.Of(block)));
        BlockShape.Hash(block, into[BlockShape.WeakLength..]);
    }
}
