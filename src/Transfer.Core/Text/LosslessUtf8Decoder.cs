using System.Buffers;
using System.Text;

namespace Transfer.Text;

/// <summary>Decodes a stream in pieces: a sequence cut at the end of one call is completed by the next.</summary>
internal sealed class LosslessUtf8Decoder : Decoder
{
    private readonly byte[] _tail = new byte[LosslessUtf8.MaxTail];
    private int _tailLength;

    public override void Reset() => _tailLength = 0;

    public override int GetCharCount(byte[] bytes, int index, int count) => GetCharCount(bytes, index, count, flush: false);

    public override int GetCharCount(byte[] bytes, int index, int count, bool flush)
    {
        var joined = Join(bytes.AsSpan(index, count));
        try
        {
            // Only decoding decides how many bytes stay behind for the next call, so the count is made by decoding.
            var chars = ArrayPool<char>.Shared.Rent(joined.Count);
            LosslessUtf8.Decode(joined, chars, flush, out _, out var written);
            ArrayPool<char>.Shared.Return(chars);
            return written;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(joined.Array!);
        }
    }

    public override int GetChars(byte[] bytes, int byteIndex, int byteCount, char[] chars, int charIndex) =>
        GetChars(bytes, byteIndex, byteCount, chars, charIndex, flush: false);

    public override int GetChars(byte[] bytes, int byteIndex, int byteCount, char[] chars, int charIndex, bool flush)
    {
        var joined = Join(bytes.AsSpan(byteIndex, byteCount));
        try
        {
            var status = LosslessUtf8.Decode(joined, chars.AsSpan(charIndex), flush, out var read, out var written);
            if (status == OperationStatus.DestinationTooSmall)
                throw new ArgumentException("The output is too short for the decoded text.", nameof(chars));
            _tailLength = joined.Count - read;
            joined.AsSpan(read).CopyTo(_tail);
            return written;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(joined.Array!);
        }
    }

    private ArraySegment<byte> Join(ReadOnlySpan<byte> bytes)
    {
        var length = _tailLength + bytes.Length;
        var joined = ArrayPool<byte>.Shared.Rent(length);
        _tail.AsSpan(0, _tailLength).CopyTo(joined);
        bytes.CopyTo(joined.AsSpan(_tailLength));
        return new ArraySegment<byte>(joined, 0, length);
    }
}
