using System.Text;
using Transfer.Text;

namespace Transfer;

/// <summary>Encodings for the names of files on servers, where a name is a string of bytes and not necessarily text.</summary>
public static class NameEncoding
{
    /// <summary>
    /// UTF-8 (RFC 3629) that loses nothing: a byte that is not part of a well-formed sequence (overlong forms, encoded surrogates
    /// and truncated sequences included) becomes the lone surrogate U+DC00 + byte, that is U+DC80 to U+DCFF, and such a
    /// surrogate becomes its byte again. So any bytes survive <c>GetBytes(GetString(bytes))</c>, and well-formed UTF-8 is decoded as
    /// by <see cref="Encoding.UTF8"/>. No input throws: surrogates that stand for no byte (local names on Windows may hold
    /// them) are written as three bytes each, as in generalized UTF-8. Surrogates only ever become bytes of 0x80 and above, so
    /// none can smuggle a CR, an LF or a slash.
    /// </summary>
    public static Encoding LosslessUtf8 { get; } = new LosslessUtf8Encoding();
}
