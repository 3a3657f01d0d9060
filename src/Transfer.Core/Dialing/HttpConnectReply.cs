namespace Transfer.Dialing;

/// <summary>The header section of a reply to HTTP CONNECT (RFC 9112 sections 2.1 to 2.2, 4 and 5).</summary>
internal static class HttpConnectReply
{
    /// <summary>
    /// The least number of bytes up to the end of the headers; 0: complete. Reading no more than that at a time never reads past the
    /// headers. An empty line ends them; a bare LF counts as a line's end (RFC 9112 section 2.2).
    /// </summary>
    public static int LeastMissing(ReadOnlySpan<byte> header) => header switch
    {
        [.., (byte)'\n', (byte)'\n'] or [.., (byte)'\n', (byte)'\r', (byte)'\n'] => 0,
        [.., (byte)'\n'] or [.., (byte)'\n', (byte)'\r'] => 1,
        _ => 2,
    };

    /// <summary>The three-digit status code of the first line (RFC 9112 section 4); null: no HTTP/1.x reply.</summary>
    public static int? ParseStatus(ReadOnlySpan<byte> header)
    {
        if (!header.StartsWith("HTTP/1."u8) || header.Length < 12) return null;
        if (!IsDigit(header[7]) || header[8] != ' ') return null;
        if (!IsDigit(header[9]) || !IsDigit(header[10]) || !IsDigit(header[11])) return null;
        if (header.Length > 12 && header[12] is not ((byte)' ' or (byte)'\r' or (byte)'\n')) return null;
        var status = (header[9] - '0') * 100 + (header[10] - '0') * 10 + (header[11] - '0');
        return status < 100 ? null : status;
    }

    private static bool IsDigit(byte value) => value is >= (byte)'0' and <= (byte)'9';
}
