namespace Transfer.Sftp.Ssh.Packets;

/// <summary>
/// Recognizes servers of other protocols by the first bytes, so that a wrong port is named at once: SSH allows lines of text in front of
/// the version, and a client that took these for such lines would wait for more until the time for the log-in was up.
/// </summary>
internal static class ForeignGreeting
{
    private static readonly (byte[] Start, string Protocol)[] Starts =
    [
        ("HTTP/"u8.ToArray(), "HTTP"), ("<!DOCTYPE"u8.ToArray(), "HTTP"), ("<html"u8.ToArray(), "HTTP"), ("+OK"u8.ToArray(), "POP3"),
        ("* OK"u8.ToArray(), "IMAP"), ("RFB "u8.ToArray(), "VNC"), ("@RSYNCD"u8.ToArray(), "rsync"),
    ];

    /// <summary>Whether the bytes begin a record of TLS, an alert or a handshake, which is no line.</summary>
    public static bool IsRecord(ReadOnlySpan<byte> data) => data is [0x15 or 0x16, 0x03, ..];

    /// <summary>The protocol of a server that begins with these bytes; null: perhaps SSH.</summary>
    public static string? Recognize(ReadOnlySpan<byte> data)
    {
        if (IsRecord(data)) return "TLS";
        foreach (var (start, protocol) in Starts)
        {
            if (data.StartsWith(start)) return protocol;
        }
        // A reply of FTP or SMTP.
        return data is [(byte)'2' or (byte)'4' or (byte)'5', >= (byte)'0' and <= (byte)'5', >= (byte)'0' and <= (byte)'9',
            (byte)' ' or (byte)'-', ..] ? "FTP" : null;
    }
}
