using System.Buffers;
using System.Text;

namespace Transfer.Ftp.Protocol;

/// <summary>
/// The inner lines of one reply, taken as they arrive: a reply to STAT of a directory may be longer than any other. Lines beyond the
/// bounds are dropped, and the reply ends where the server ends the reply.
/// </summary>
/// <param name="room">The bytes that are left for lines.</param>
internal sealed class FtpReplyLines(FtpLineRoom room)
{
    /// <summary>The most lines that are kept.</summary>
    public const int Most = 1000;

    // A million entries are less.
    private const int MostBytes = 128 << 20;

    private readonly ArrayBufferWriter<byte> _text = new();
    private string? _first;
    private int _code;
    private int _count;
    private int _read;

    /// <summary>Whether lines were dropped.</summary>
    public bool IsTooLong { get; private set; }

    /// <summary>The lines, each with LF at the end, without the space in front that some servers add.</summary>
    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    /// <summary>
    /// Takes lines off the front of <paramref name="buffer"/>; true: up to the end of the reply, which has the first line and the last.
    /// </summary>
    /// <param name="buffer">The bytes that have come.</param>
    /// <param name="encoding">The encoding of the text.</param>
    /// <param name="reply">The reply.</param>
    /// <param name="mayHoldSecret">Whether the bytes may hold a secret that was sent: an error does not show them.</param>
    /// <exception cref="TransferConnectionException">
    /// <see cref="TransferError.Protocol"/>: these bytes are not an FTP reply, or a line is too long.
    /// </exception>
    public bool TryRead(ref ReadOnlySequence<byte> buffer, Encoding encoding, out FtpReply? reply, bool mayHoldSecret = false)
    {
        reply = null;
        while (true)
        {
            var reader = new SequenceReader<byte>(buffer);
            if (!reader.TryReadTo(out ReadOnlySequence<byte> sequence, (byte)'\n'))
            {
                FtpReplyParser.CheckUnfinished(buffer, _first is null, buffer.Length, mayHoldSecret);
                return false;
            }
            if (sequence.Length >= FtpReplyParser.MaxLineBytes) throw FtpReplyParser.TooLong("line");
            buffer = buffer.Slice(reader.Position);
            if ((_read += (int)sequence.Length) > MostBytes) throw FtpReplyParser.TooLong("reply");
            var line = (sequence.IsSingleSegment ? sequence.FirstSpan : sequence.ToArray()).TrimEnd((byte)'\r');
            var code = FtpReplyParser.ReadCode(line);
            var goesOn = line.Length > 3 && line[3] == '-';
            if (_first is null)
            {
                if (code == 0) throw FtpReplyParser.NotAReply(line, mayHoldSecret);
                (_code, _first) = (code, Decode(line, encoding));
                if (goesOn) continue;
                reply = new FtpReply(code, [_first]);
            }
            else if (code == _code && !goesOn)
            {
                reply = new FtpReply(code, [_first, Decode(line, encoding)]);
            }
            else
            {
                Keep(line);
                continue;
            }
            _first = null;
            return true;
        }
    }

    private void Keep(ReadOnlySpan<byte> line)
    {
        if (line is [(byte)' ', ..]) line = line[1..];
        if (IsTooLong || ++_count > Most || !room.TryTake(line.Length + 1))
        {
            IsTooLong = true;
            return;
        }
        _text.Write(line);
        _text.Write("\n"u8);
    }

    private static string Decode(ReadOnlySpan<byte> line, Encoding encoding) =>
        FtpReplyParser.Decode(line[Math.Min(4, line.Length)..], encoding);
}
