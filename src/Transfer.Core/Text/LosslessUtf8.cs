using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Transfer.Text;

/// <summary>
/// The two conversions behind <see cref="NameEncoding.LosslessUtf8"/>. Well-formed runs go through the platform's vectorised
/// transcoder; only the parts that it refuses are handled here.
/// </summary>
internal static class LosslessUtf8
{
    /// <summary>An undecodable byte becomes this plus its value.</summary>
    private const int ByteBase = 0xDC00;

    /// <summary>The longest tail that may still grow into a sequence.</summary>
    public const int MaxTail = 3;

    /// <summary>Decodes as much as fits.</summary>
    /// <param name="bytes">The input.</param>
    /// <param name="chars">The output.</param>
    /// <param name="final">False leaves a tail that may still become a sequence unread: <see cref="OperationStatus.NeedMoreData"/>.</param>
    /// <param name="read">The number of bytes consumed.</param>
    /// <param name="written">The number of chars written.</param>
    public static OperationStatus Decode(ReadOnlySpan<byte> bytes, Span<char> chars, bool final, out int read, out int written)
    {
        read = written = 0;
        while (true)
        {
            var status = Utf8.ToUtf16(bytes[read..], chars[written..], out var taken, out var made, replaceInvalidSequences: false, final);
            read += taken;
            written += made;
            if (status != OperationStatus.InvalidData) return status;

            _ = Rune.DecodeFromUtf8(bytes[read..], out _, out var bad);
            for (var i = 0; i < bad; i++)
            {
                if (written == chars.Length) return OperationStatus.DestinationTooSmall;
                chars[written++] = (char)(ByteBase + bytes[read++]);
            }
        }
    }

    /// <summary>Encodes as much as fits; the parameters mirror those of <see cref="Decode"/>.</summary>
    public static OperationStatus Encode(ReadOnlySpan<char> chars, Span<byte> bytes, bool final, out int read, out int written)
    {
        read = written = 0;
        while (true)
        {
            var status = Utf8.FromUtf16(chars[read..], bytes[written..], out var taken, out var made, replaceInvalidSequences: false,
                final);
            read += taken;
            written += made;
            if (status != OperationStatus.InvalidData) return status;

            var surrogate = chars[read];
            var left = bytes[written..];
            if (surrogate is >= '\uDC80' and <= '\uDCFF')
            {
                if (left.IsEmpty) return OperationStatus.DestinationTooSmall;
                left[0] = (byte)(surrogate - ByteBase);
                written++;
            }
            else
            {
                if (left.Length < 3) return OperationStatus.DestinationTooSmall;
                left[0] = (byte)(0xE0 | (surrogate >> 12));
                left[1] = (byte)(0x80 | ((surrogate >> 6) & 0x3F));
                left[2] = (byte)(0x80 | (surrogate & 0x3F));
                written += 3;
            }

            read++;
        }
    }
}
