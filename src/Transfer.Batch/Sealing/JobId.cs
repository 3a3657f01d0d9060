using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>128 random bits that tell a job from all others.</summary>
/// <remarks>Not one UInt128: nothing that holds one is compiled ahead, since its layout is not settled.</remarks>
/// <param name="Short">The first 64 bits: what the temporary names of its sliced files have in common.</param>
/// <param name="Rest">The others.</param>
internal readonly record struct JobId(ulong Short, ulong Rest)
{
    /// <summary>Bytes of its wire form, big-endian.</summary>
    public const int Length = 16;

    public static JobId New() => Read(RandomNumberGenerator.GetBytes(Length));

    public static JobId Read(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt64BigEndian(bytes), BinaryPrimitives.ReadUInt64BigEndian(bytes[sizeof(ulong)..]));

    public void Write(Span<byte> bytes)
    {
        BinaryPrimitives.WriteUInt64BigEndian(bytes, Short);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[sizeof(ulong)..], Rest);
    }

    public byte[] ToArray()
    {
        var bytes = new byte[Length];
        Write(bytes);
        return bytes;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Short:x16}{Rest:x16}");
}
