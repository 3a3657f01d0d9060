using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;

namespace Transfer.Batch.Sealing;

/// <summary>128 random bits that identify a job.</summary>
/// <remarks>Not one UInt128: types with such a field are not compiled ahead, since the layout of UInt128 is not stable.</remarks>
/// <param name="Short">The first 64 bits, which the temporary names of the job's sliced files share.</param>
/// <param name="Rest">The last 64 bits.</param>
internal readonly record struct JobId(ulong Short, ulong Rest)
{
    /// <summary>The length of the wire form in bytes, big-endian.</summary>
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
