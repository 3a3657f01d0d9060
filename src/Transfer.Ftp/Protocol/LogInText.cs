using System.Buffers;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// Lines of text between the replies of a log-in, which some servers send without a code, a byte order mark, and Telnet's commands
/// (RFC 854). What begins as another protocol does is left to the parser, which names it.
/// </summary>
internal sealed class LogInText
{
    private static readonly byte[][] Foreign =
        [.. new[] { "SSH-", "HTTP/", "+OK", "* OK", "* BYE", "* PREAUTH", "RFB ", "@RSYNCD", "<" }
            .Select(System.Text.Encoding.ASCII.GetBytes)];

    private const byte TelnetCommand = 0xFF;
    private const byte FirstWithOption = 0xFB; // WILL, WONT, DO, DONT

    private static readonly byte[] ByteOrderMark = [0xEF, 0xBB, 0xBF];

    private long _skipped;

    /// <summary>Takes lines off the front of the buffer. False: more bytes have to come before it is known what they are.</summary>
    public bool TrySkip(ref ReadOnlySequence<byte> buffer)
    {
        while (true)
        {
            if (!TrySkipMarks(ref buffer)) return false;
            var end = buffer.PositionOf((byte)'\n');
            var line = end is { } found ? buffer.Slice(0, found) : buffer;
            if (line.Length >= FtpReplyParser.MaxLineBytes || _skipped + line.Length >= FtpReplyParser.MaxReplyBytes || !IsText(line))
                return true;
            if (end is null) return false;
            var next = buffer.GetPosition(1, end.Value);
            _skipped += line.Length + 1;
            buffer = buffer.Slice(next);
        }
    }

    private bool TrySkipMarks(ref ReadOnlySequence<byte> buffer)
    {
        while (_skipped < FtpReplyParser.MaxLineBytes)
        {
            var start = (buffer.Length > ByteOrderMark.Length ? buffer.Slice(0, ByteOrderMark.Length) : buffer).ToArray();
            var length = start switch
            {
                [TelnetCommand, < FirstWithOption, ..] => 2,
                [TelnetCommand, ..] => 3,
                [0xEF, ..] when ByteOrderMark.AsSpan().StartsWith(start) => ByteOrderMark.Length,
                _ => 0,
            };
            if (length == 0) return true;
            if (start.Length < length) return false;
            buffer = buffer.Slice(length);
            _skipped += length;
        }
        return true;
    }

    // Three digits begin a reply, or nothing that is known; a year, or a number of users, is text.
    private static bool IsText(in ReadOnlySequence<byte> line)
    {
        var start = (line.Length > 16 ? line.Slice(0, 16) : line).ToArray();
        var digits = start.TakeWhile(b => char.IsAsciiDigit((char)b)).Count();
        if (digits == 3 || Array.Exists(Foreign, word => start.AsSpan().StartsWith(word))) return false;
        foreach (var segment in line)
        {
            if (segment.Span.IndexOfAnyInRange((byte)0, (byte)8) >= 0 || segment.Span.IndexOfAnyInRange((byte)14, (byte)26) >= 0)
                return false;
        }
        return true;
    }
}
