using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>128 random bits that tell a job from all others.</summary>
internal readonly record struct JobId(UInt128 Value)
{
    /// <summary>Bytes of its wire form, big-endian.</summary>
    public const int Length = 16;

    public static JobId New() => Read(RandomNumberGenerator.GetBytes(Length));

    public static JobId Read(ReadOnlySpan<byte> bytes) => new(BinaryPrimitives.ReadUInt128BigEndian(bytes));

    public void Write(Span<byte> bytes) => BinaryPrimitives.WriteUInt128BigEndian(bytes, Value);

    public byte[] ToArray()
    {
        var bytes = new byte[Length];
        Write(bytes);
        return bytes;
    }

    /// <summary>Its first 64 bits: what the temporary names of its sliced files have in common.</summary>
    public ulong Short => (ulong)(Value >> 64);

    public override string ToString() => Value.ToString("x32", null);
}
