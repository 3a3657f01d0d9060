using System.Buffers;
using System.Text;

namespace Transfer.Ftp.Protocol;

/// <summary>Turns commands into bytes (RFC 959 section 5.3; RFC 2640 for UTF-8 names).</summary>
internal static class CommandEncoder
{
    /// <summary>Appends the commands, each with CRLF.</summary>
    /// <exception cref="ArgumentException">A command without a verb.</exception>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Unsupported"/>: the encoding can't express a name exactly. A near miss would address another file.
    /// </exception>
    public static void Encode(IReadOnlyList<FtpCommand> commands, Encoding encoding, ArrayBufferWriter<byte> into)
    {
        for (var i = 0; i < commands.Count; i++)
        {
            var command = commands[i];
            if (string.IsNullOrEmpty(command.Verb))
                throw new ArgumentException("A command needs a verb.", nameof(commands));
            Append(command.Verb, Encoding.ASCII, command, into);
            if (command.Argument is { } argument)
            {
                into.Write(" "u8);
                Append(argument, encoding, command, into);
            }

            into.Write("\r\n"u8);
        }
    }

    private static void Append(string text, Encoding encoding, FtpCommand command, ArrayBufferWriter<byte> into)
    {
        if (Ascii.IsValid(text))
        {
            Encoding.ASCII.GetBytes(text, into);
            return;
        }

        var start = into.WrittenCount;
        try
        {
            encoding.GetBytes(text, into);
        }
        catch (EncoderFallbackException e)
        {
            throw Inexact(command, encoding, e);
        }

        // Replacement and best-fit fall-backs are silent, and could produce a line end that the text did not have.
        var written = into.WrittenSpan[start..];
        if (written.ContainsAny((byte)'\r', (byte)'\n', (byte)0) || !text.AsSpan().SequenceEqual(encoding.GetString(written)))
            throw Inexact(command, encoding, null);
    }

    private static TransferException Inexact(FtpCommand command, Encoding encoding, Exception? cause) =>
        new(TransferError.Unsupported, $"\"{command}\" can't be expressed exactly in {encoding.WebName}.", cause);
}
