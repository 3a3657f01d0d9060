using System.Buffers;

namespace Transfer.Batch.Archive.Delta;

/// <summary>
/// The instructions that make a file of another one (docs/internals/batch-format.md, "Deltas"): a number of literal bytes that follow, then
/// a number of blocks of the base from a given one on, and so forth. Numbers have seven bits a byte, the lowest first; all but a number's
/// last byte have the highest bit set.
/// </summary>
internal static class DeltaInstructions
{
    /// <summary>The length of the buffer through which a file is rebuilt from the old content.</summary>
    public const int CopyBuffer = 128 << 10;

    /// <summary>The bytes of the longest number.</summary>
    public const int MostNumber = 9;

    /// <summary>Appends a step.</summary>
    /// <param name="into">Receives the step, without the literal bytes.</param>
    /// <param name="literal">The number of literal bytes, which follow that number.</param>
    /// <param name="count">The number of blocks copied after the literal; 0: none.</param>
    /// <param name="ahead">The distance of the first of them from the block behind the last copied one.</param>
    public static void Append(IBufferWriter<byte> into, long literal, int count, int ahead)
    {
        Append(into, literal);
        Append(into, count);
        if (count > 0) Append(into, ((long)ahead << 1) ^ (ahead >> 31));
    }

    /// <summary>Removes the first step from instructions written by <see cref="Append(IBufferWriter{byte}, long, int, int)"/>.</summary>
    /// <param name="instructions">The instructions; afterwards the rest.</param>
    /// <param name="head">The bytes of the step's first number, in front of the literal.</param>
    /// <param name="rest">The step's bytes behind the literal.</param>
    /// <param name="literal">The literal's length.</param>
    /// <param name="count">The number of copied blocks.</param>
    /// <param name="ahead">The distance of the first copied block, as in <c>Append</c>.</param>
    public static void Take(ref ReadOnlyMemory<byte> instructions, out ReadOnlyMemory<byte> head, out ReadOnlyMemory<byte> rest,
        out long literal, out long count, out long ahead)
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

    /// <summary>Returns the signed number of an unsigned one, with the sign in the lowest bit.</summary>
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
