using System.Buffers;
using System.Text;

namespace Transfer.Ftp.Protocol;

/// <summary>Reads replies as RFC 959 section 4.2 defines them. Bare LF ends a line too, because some servers send bare LFs.</summary>
internal static class FtpReplyParser
{
    /// <summary>The most bytes of one line, line end included.</summary>
    public const int MaxLineBytes = 8 * 1024;

    /// <summary>The most bytes of one reply. FEAT and STAT are the long ones.</summary>
    public const int MaxReplyBytes = 64 * 1024;

    /// <summary>The most lines of one reply.</summary>
    public const int MaxLines = 1000;

    /// <summary>
    /// Takes one complete reply off the front of <paramref name="buffer"/>. False, with the buffer untouched: more bytes are needed.
    /// The limits hold before the line end has come, so a peer that never sends one is detected early.
    /// </summary>
    /// <param name="buffer">The bytes that have come.</param>
    /// <param name="encoding">The encoding of the text.</param>
    /// <param name="reply">The reply.</param>
    /// <param name="mayHoldSecret">Whether the bytes may hold a secret that was sent: an error does not show them.</param>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Protocol"/>: these bytes are not an FTP reply, or one beyond the limits.
    /// </exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, Encoding encoding, out FtpReply? reply, bool mayHoldSecret = false)
    {
        reply = null;
        var reader = new SequenceReader<byte>(buffer);
        List<string>? inner = null;
        var code = 0;
        while (true)
        {
            var left = buffer.Length - reader.Consumed;
            if (!reader.TryReadTo(out ReadOnlySequence<byte> sequence, (byte)'\n'))
            {
                CheckUnfinished(buffer, inner is null, left, mayHoldSecret);
                return false;
            }

            if (sequence.Length >= MaxLineBytes)
                throw TooLong("line");
            if (reader.Consumed > MaxReplyBytes)
                throw TooLong("reply");

            var line = (sequence.IsSingleSegment ? sequence.FirstSpan : sequence.ToArray()).TrimEnd((byte)'\r');
            if (inner is null)
            {
                code = ReadCode(line, takesTab: true);
                if (code == 0)
                    throw NotAReply(line, mayHoldSecret);
                inner = [Decode(line[Math.Min(4, line.Length)..], encoding)];
                if (line.Length > 3 && line[3] == '-')
                    continue;
            }
            else
            {
                // An inner line may begin with digits, even with another code: only this reply's own code ends the reply.
                var own = ReadCode(line) == code;
                if (inner.Count == MaxLines)
                    throw TooLong("reply");
                inner.Add(Decode(own ? line[Math.Min(4, line.Length)..] : line, encoding));
                if (!own || (line.Length > 3 && line[3] == '-'))
                    continue;
            }

            buffer = buffer.Slice(reader.Position);
            reply = new FtpReply(code, inner);
            return true;
        }
    }

    /// <summary>Refuses a line or reply whose end has not come yet, once that can be no reply any more.</summary>
    internal static void CheckUnfinished(in ReadOnlySequence<byte> buffer, bool isFirstLine, long left, bool mayHoldSecret)
    {
        if (left >= MaxLineBytes)
            throw TooLong("line");
        if (buffer.Length >= MaxReplyBytes)
            throw TooLong("reply");
        if (!isFirstLine)
            return;

        Span<byte> start = stackalloc byte[4];
        var length = (int)Math.Min(left, start.Length);
        buffer.Slice(0, length).CopyTo(start);
        start = start[..length];

        // A prefix can still become a reply if a valid rest completes the code.
        Span<byte> whole = [(byte)'2', (byte)'0', (byte)'0', (byte)' '];
        start.CopyTo(whole);
        if (whole[3] == '\r')
            whole[3] = (byte)' ';
        if (ReadCode(whole, takesTab: true) == 0)
            throw NotAReply(start, mayHoldSecret);
    }

    /// <summary>The code of a line that begins with one and then ends or goes on with a space or a hyphen; else 0.</summary>
    /// <param name="line">The line.</param>
    /// <param name="takesTab">Whether a tab may stand for the space, as some servers send it.</param>
    internal static int ReadCode(ReadOnlySpan<byte> line, bool takesTab = false)
    {
        if (line.Length < 3 || line[0] is < (byte)'1' or > (byte)'5' || !IsDigit(line[1]) || !IsDigit(line[2]))
            return 0;
        if (line.Length > 3 && line[3] is not ((byte)' ' or (byte)'-') && !(takesTab && line[3] == (byte)'\t'))
            return 0;
        return ((line[0] - '0') * 100) + ((line[1] - '0') * 10) + line[2] - '0';
    }

    private static bool IsDigit(byte b) => b is >= (byte)'0' and <= (byte)'9';

    /// <summary>The text of a line.</summary>
    internal static string Decode(ReadOnlySpan<byte> bytes, Encoding encoding)
    {
        try
        {
            return encoding.GetString(bytes);
        }
        catch (DecoderFallbackException e)
        {
            throw new TransferConnectionException(TransferError.Protocol, $"A reply of the server is not valid {encoding.WebName}.", e);
        }
    }

    /// <summary>The error of a line or reply beyond the limits.</summary>
    internal static TransferConnectionException TooLong(string what) =>
        new(TransferError.Protocol, $"The server sent a {what} longer than any FTP {what}.");

    /// <summary>
    /// The error of a line that begins no reply. It quotes the line, since that often names the protocol of the server; but a server that
    /// took the commands of one write for one repeats the password in such a line, whole or in part.
    /// </summary>
    internal static TransferConnectionException NotAReply(ReadOnlySpan<byte> line, bool mayHoldSecret)
    {
        if (mayHoldSecret)
        {
            return new TransferConnectionException(TransferError.Protocol,
                "The server does not speak FTP: it sent a line that begins no reply. The line may hold the password, and is not shown.");
        }
        var shown = new StringBuilder();
        foreach (var b in line[..Math.Min(line.Length, 40)])
            shown.Append(b is >= 0x20 and < 0x7F ? (char)b : '.');
        return new TransferConnectionException(TransferError.Protocol, $"The server does not speak FTP: it sent \"{shown}\".");
    }
}
