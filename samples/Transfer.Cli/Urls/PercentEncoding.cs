using System.Buffers;
using System.Text;

namespace Transfer.Cli.Urls;

/// <summary>Percent-encoding (RFC 3986 section 2.1), decoded once and never guessed at: a stray <c>%</c> is refused.</summary>
internal static class PercentEncoding
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private static readonly SearchValues<char> Unreserved =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~");

    /// <summary>
    /// Decodes the name of a file: bytes that are no UTF-8 keep their place (see <see cref="NameEncoding.LosslessUtf8"/>).
    /// </summary>
    public static string DecodeName(ReadOnlySpan<char> text, string what) =>
        text.Contains('%') ? NameEncoding.LosslessUtf8.GetString(Decode(text, what)) : text.ToString();

    /// <summary>Decodes text, which must be UTF-8.</summary>
    public static string DecodeText(ReadOnlySpan<char> text, string what)
    {
        if (!text.Contains('%')) return text.ToString();
        try
        {
            return Strict.GetString(Decode(text, what));
        }
        catch (DecoderFallbackException)
        {
            throw new UsageException($"{what} is not UTF-8 after percent-decoding.");
        }
    }

    /// <summary>Encodes everything that RFC 3986 section 2.3 does not call unreserved.</summary>
    public static string Encode(string text)
    {
        if (!text.AsSpan().ContainsAnyExcept(Unreserved)) return text;
        var result = new StringBuilder(text.Length + 16);
        foreach (var b in NameEncoding.LosslessUtf8.GetBytes(text))
        {
            if (b < 0x80 && Unreserved.Contains((char)b)) result.Append((char)b);
            else result.Append('%').Append(b.ToString("X2", null));
        }

        return result.ToString();
    }

    private static ReadOnlySpan<byte> Decode(ReadOnlySpan<char> text, string what)
    {
        var bytes = new ArrayBufferWriter<byte>(text.Length);
        while (text.Length > 0)
        {
            var plain = text.IndexOf('%');
            if (plain < 0) plain = text.Length;
            NameEncoding.LosslessUtf8.GetBytes(text[..plain], bytes);
            text = text[plain..];
            if (text.IsEmpty) break;
            if (text.Length < 3 || !char.IsAsciiHexDigit(text[1]) || !char.IsAsciiHexDigit(text[2]))
                throw new UsageException($"{what} has a % that two hex digits do not follow; a % of its own is written %25.");
            bytes.Write([Convert.FromHexString(text.Slice(1, 2))[0]]);
            text = text[3..];
        }

        return bytes.WrittenSpan;
    }
}
