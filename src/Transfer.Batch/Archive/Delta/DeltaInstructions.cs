using System.Buffers;

namespace Transfer.Batch.Archive.Delta;

/// <summary>
/// How a file is made of another one (docs/internals/batch-format.md, "Deltas"): so many bytes that stand here, then so many blocks of the base from a certain one on, and so
/// forth. Numbers have seven bits a byte, the lowest first; all but a number's last byte have the highest bit set.
/// </summary>
internal static class DeltaInstructions
{
    /// <summary>Bytes of the buffer by which a file is rebuilt from its old content.</summary>
    public const int CopyBuffer = 128 << 10;

    /// <summary>Bytes of the longest number.</summary>
    public const int MostNumber = 9;

    /// <summary>Appends a step.</summary>
    /// <param name="into">Gets it, without the bytes themselves.</param>
    /// <param name="literal">Bytes that stand behind this number.</param>
    /// <param name="count">Blocks that are copied after them; 0: none.</param>
    /// <param name="ahead">How far the first of them is from the one behind the last that was copied.</param>
    public static void Append(IBufferWriter<byte> into, long literal, int count, int ahead)
    {
        Append(into, literal);
        Append(into, count);
        if (count > 0) Append(into, ((long)ahead << 1) ^ (ahead >> 31));
    }

    /// <summary>Takes a step off what <see cref="Append(IBufferWriter{byte}, long, int, int)"/> has written.</summary>
    /// <param name="instructions">What is left of them.</param>
    /// <param name="head">The bytes of its first number, which stand before the literal.</param>
    /// <param name="rest">Those behind the literal.</param>
    /// <param name="literal">The literal's length.</param>
    /// <param name="count">Blocks that are copied.</param>
    /// <param name="ahead">Where from.</param>
    public static void Take(ref ReadOnlyMemory<byte> instructions, out ReadOnlyMemory<byte> head, out ReadOnlyMemory<byte> rest, out long literal, out long count, out long ahead)
    {
        var span = instructions.Span;
        var at = 0;
        literal = Take(span, ref at);
        head = instructions[..at];
        var behind = at;
        count = Take(span, ref at);
        ahead = count > 0 ? Signed(Take(span, ref at)) : 0;
        rest = instructions[behind..at];
        instructions = instructions[at..];
    }

    /// <summary>A number that may be negative, of one that is not: its lowest bit is the sign.</summary>
    public static long Signed(long number) => (number >> 1) ^ -(number & 1);

    private static long Take(ReadOnlySpan<byte> bytes, ref int at)
    {
        long number = 0;
        for (var shift = 0; ; shift += 7)
        {
            var value = bytes[at++];
            number |= (long)(value & 0x7F) << shift;
            if (value < 0x80) return number;
        }
    }

    private static void Append(IBufferWriter<byte> into, long number)
    {
        var room = into.GetSpan(MostNumber);
        var length = 0;
        for (; number >= 0x80; number >>= 7) room[length++] = (byte)(number | 0x80);
        room[length++] = (byte)number;
        into.Advance(length);
    }
}
