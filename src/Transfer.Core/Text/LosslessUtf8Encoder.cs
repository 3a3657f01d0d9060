using System.Buffers;
using System.Text;

namespace Transfer.Text;

/// <summary>Encodes a stream in pieces: a surrogate pair cut at the end of one call is completed by the next.</summary>
internal sealed class LosslessUtf8Encoder : Encoder
{
    private char _high;

    public override void Reset() => _high = '\0';

    public override int GetByteCount(char[] chars, int index, int count, bool flush)
    {
        var joined = Join(chars.AsSpan(index, count));
        var bytes = ArrayPool<byte>.Shared.Rent(joined.Count * 3);
        LosslessUtf8.Encode(joined, bytes, flush, out _, out var written);
        ArrayPool<byte>.Shared.Return(bytes);
        ArrayPool<char>.Shared.Return(joined.Array!);
        return written;
    }

    public override int GetBytes(char[] chars, int charIndex, int charCount, byte[] bytes, int byteIndex, bool flush)
    {
        var joined = Join(chars.AsSpan(charIndex, charCount));
        try
        {
            var status = LosslessUtf8.Encode(joined, bytes.AsSpan(byteIndex), flush, out var read, out var written);
            if (status == OperationStatus.DestinationTooSmall)
                throw new ArgumentException("The output is too short for the encoded text.", nameof(bytes));
            _high = read < joined.Count ? joined[read] : '\0';
            return written;
        }
        finally
        {
            ArrayPool<char>.Shared.Return(joined.Array!);
        }
    }

    private ArraySegment<char> Join(ReadOnlySpan<char> chars)
    {
        var held = _high == '\0' ? 0 : 1;
        var length = held + chars.Length;
        var joined = ArrayPool<char>.Shared.Rent(length);
        if (held == 1) joined[0] = _high;
        chars.CopyTo(joined.AsSpan(held));
        return new ArraySegment<char>(joined, 0, length);
    }
}
