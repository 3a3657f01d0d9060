using System.Text;
using Transfer.Text;

namespace Transfer;

/// <summary>Encodings for the names of files on servers, where a name is a string of bytes that nobody promised to be text.</summary>
public static class NameEncoding
{
    /// <summary>
    /// UTF-8 (RFC 3629) that loses nothing: a byte that is not part of a well-formed sequence (overlong forms, encoded surrogates
    /// and truncated sequences included) becomes the lone surrogate U+DC00 + byte, that is U+DC80 to U+DCFF, and such a
    /// surrogate becomes its byte again. So any bytes survive <c>GetBytes(GetString(bytes))</c>, and well-formed UTF-8 is decoded as
    /// <see cref="Encoding.UTF8"/> does. It never throws for its input: surrogates that stand for no byte (local names on Windows may hold
    /// them) are written as three bytes each, as generalized UTF-8 has it. Only bytes of 0x80 and above are ever made from surrogates, so
    /// none can smuggle a CR, an LF or a slash.
    /// </summary>
    public static Encoding LosslessUtf8 { get; } = new LosslessUtf8Encoding();
}
