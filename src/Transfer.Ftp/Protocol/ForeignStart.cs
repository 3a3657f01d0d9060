using System.Text;

namespace Transfer.Ftp.Protocol;

/// <summary>Names a protocol in clear text by the first bytes that came where TLS was to begin.</summary>
internal static class ForeignStart
{
    /// <summary>Describes the protocol as a clause; null: perhaps TLS, or nothing that is known.</summary>
    public static string? Describe(ReadOnlySpan<byte> start)
    {
        // Records of TLS begin with 20 to 24.
        if (start.Length < 3 || start[0] is < 0x20 or > 0x7E) return null;
        var end = start.IndexOfAny((byte)'\r', (byte)'\n');
        var text = new StringBuilder();
        foreach (var b in end < 0 ? start : start[..end]) text.Append(b is >= 0x20 and < 0x7F ? (char)b : '.');
        var protocol = start.StartsWith("SSH-"u8) ? "SSH" : start.StartsWith("HTTP/"u8) ? "HTTP"
            : char.IsAsciiDigit((char)start[0]) && char.IsAsciiDigit((char)start[1]) && char.IsAsciiDigit((char)start[2])
            ? "FTP in clear text" : "something else";
        return $"it speaks {protocol}, and sent \"{text}\"";
    }
}
