using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Transfer.Text;

/// <summary>See <see cref="NameEncoding.LosslessUtf8"/>.</summary>
internal sealed class LosslessUtf8Encoding() : Encoding(Utf8CodePage)
{
    private const int Utf8CodePage = 65001;
    private const int ScratchSize = 512;

    public override string WebName => "utf-8";

    public override string HeaderName => "utf-8";

    public override string BodyName => "utf-8";

    public override string EncodingName => "UTF-8 (lossless)";

    /// <summary>Three bytes a char, and one char more for a high surrogate that an <see cref="Encoder"/> may hold.</summary>
    public override int GetMaxByteCount(int charCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(charCount);
        return checked((charCount + 1) * 3);
    }

    /// <summary>One char a byte at most, and the tail that a <see cref="Decoder"/> may hold.</summary>
    public override int GetMaxCharCount(int byteCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(byteCount);
        return checked(byteCount + LosslessUtf8.MaxTail);
    }

    public override int GetCharCount(ReadOnlySpan<byte> bytes)
    {
        if (Utf8.IsValid(bytes)) return UTF8.GetCharCount(bytes);
        Span<char> scratch = stackalloc char[ScratchSize];
        var count = 0;
        while (!bytes.IsEmpty)
        {
            LosslessUtf8.Decode(bytes, scratch, final: true, out var read, out var written);
            bytes = bytes[read..];
            count += written;
        }

        return count;
    }

    public override int GetByteCount(ReadOnlySpan<char> chars)
    {
        Span<byte> scratch = stackalloc byte[ScratchSize];
        var count = 0;
        while (!chars.IsEmpty)
        {
            LosslessUtf8.Encode(chars, scratch, final: true, out var read, out var written);
            chars = chars[read..];
            count += written;
        }

        return count;
    }

    public override int GetChars(ReadOnlySpan<byte> bytes, Span<char> chars) =>
        LosslessUtf8.Decode(bytes, chars, final: true, out _, out var written) == OperationStatus.Done
            ? written
            : throw new ArgumentException("The output is too short for the decoded name.", nameof(chars));

    public override int GetBytes(ReadOnlySpan<char> chars, Span<byte> bytes) =>
        LosslessUtf8.Encode(chars, bytes, final: true, out _, out var written) == OperationStatus.Done
            ? written
            : throw new ArgumentException("The output is too short for the encoded name.", nameof(bytes));

    public override int GetByteCount(char[] chars, int index, int count) => GetByteCount(chars.AsSpan(index, count));

    public override int GetBytes(char[] chars, int charIndex, int charCount, byte[] bytes, int byteIndex) =>
        GetBytes(chars.AsSpan(charIndex, charCount), bytes.AsSpan(byteIndex));

    public override int GetCharCount(byte[] bytes, int index, int count) => GetCharCount(bytes.AsSpan(index, count));

    public override int GetChars(byte[] bytes, int byteIndex, int byteCount, char[] chars, int charIndex) =>
        GetChars(bytes.AsSpan(byteIndex, byteCount), chars.AsSpan(charIndex));

    public override string GetString(byte[] bytes, int index, int count)
    {
        var span = bytes.AsSpan(index, count);
        return Utf8.IsValid(span)
            ? UTF8.GetString(span)
            : string.Create(GetCharCount(span), span, (chars, source) => GetChars(source, chars));
    }

    public override Decoder GetDecoder() => new LosslessUtf8Decoder();

    public override Encoder GetEncoder() => new LosslessUtf8Encoder();

    /// <summary>Whether the object is this very instance: another encoding with the same code page number is not equal.</summary>
    public override bool Equals(object? value) => ReferenceEquals(this, value);

    public override int GetHashCode() => Utf8CodePage;
}
