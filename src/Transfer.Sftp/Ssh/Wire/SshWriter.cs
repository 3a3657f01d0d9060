using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace Transfer.Sftp.Ssh.Wire;

/// <summary>Writes the data types of RFC 4251 section 5.</summary>
internal static class SshWriter
{
    public static void WriteByte(this IBufferWriter<byte> writer, byte value)
    {
        writer.GetSpan(1)[0] = value;
        writer.Advance(1);
    }

    public static void WriteBoolean(this IBufferWriter<byte> writer, bool value) => writer.WriteByte(value ? (byte)1 : (byte)0);

    public static void WriteUInt32(this IBufferWriter<byte> writer, uint value)
    {
        BinaryPrimitives.WriteUInt32BigEndian(writer.GetSpan(4), value);
        writer.Advance(4);
    }

    public static void WriteUInt64(this IBufferWriter<byte> writer, ulong value)
    {
        BinaryPrimitives.WriteUInt64BigEndian(writer.GetSpan(8), value);
        writer.Advance(8);
    }

    /// <summary>A <c>string</c>.</summary>
    public static void WriteString(this IBufferWriter<byte> writer, ReadOnlySpan<byte> value)
    {
        writer.WriteUInt32((uint)value.Length);
        writer.Write(value);
    }

    /// <summary>A <c>string</c> that holds text, in UTF-8.</summary>
    public static void WriteString(this IBufferWriter<byte> writer, string value)
    {
        var length = Encoding.UTF8.GetByteCount(value);
        writer.WriteUInt32((uint)length);
        writer.Advance(Encoding.UTF8.GetBytes(value, writer.GetSpan(length)));
    }

    /// <summary>An <c>mpint</c> from a big-endian magnitude.</summary>
    public static void WriteUnsignedInteger(this IBufferWriter<byte> writer, ReadOnlySpan<byte> magnitude)
    {
        magnitude = magnitude.TrimStart((byte)0);
        var padded = !magnitude.IsEmpty && (magnitude[0] & 0x80) != 0;
        writer.WriteUInt32((uint)(magnitude.Length + (padded ? 1 : 0)));
        if (padded) writer.WriteByte(0);
        writer.Write(magnitude);
    }

    /// <summary>A <c>name-list</c>.</summary>
    public static void WriteNameList(this IBufferWriter<byte> writer, IEnumerable<string> names) =>
        writer.WriteString(string.Join(',', names));
}
