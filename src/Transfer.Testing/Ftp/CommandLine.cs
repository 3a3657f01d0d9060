using System.Buffers;
using System.Text;

namespace Transfer.Testing.Ftp;

/// <summary>Command lines of a control connection (RFC 959 5.3; Telnet's escapes by RFC 854; names by RFC 2640).</summary>
internal static class CommandLine
{
    /// <summary>The most bytes of a line, with its end.</summary>
    public const int MaxLength = 4096;

    private const int MaxVerb = 16;
    private const byte InterpretAsCommand = 255;
    private const byte FirstOption = 251;
    private const byte FirstCommand = 240;

    private static readonly SearchValues<byte> VerbBytes =
        SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"u8);

    /// <summary>Takes the first line off a buffer, without the CR LF (or bare LF). False: there is no whole line yet.</summary>
    public static bool TryTake(ref ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> line)
    {
        if (buffer.PositionOf((byte)'\n') is not { } end)
        {
            line = default;
            return false;
        }

        line = buffer.Slice(0, end);
        buffer = buffer.Slice(buffer.GetPosition(1, end));
        return true;
    }

    /// <summary>Splits a line into verb and argument. Any bytes give a result.</summary>
    public static ParsedLine Parse(in ReadOnlySequence<byte> line, Encoding encoding)
    {
        if (line.Length > MaxLength) return new(string.Empty, string.Empty, LineFault.TooLong);
        Span<byte> bytes = line.ToArray();
        bytes = bytes[..StripTelnet(bytes)];
        if (bytes is [.. var rest, (byte)'\r']) bytes = rest;
        var space = bytes.IndexOf((byte)' ');
        var verb = space < 0 ? bytes : bytes[..space];
        if (verb.Length is 0 or > MaxVerb || verb.ContainsAnyExcept(VerbBytes)) return new(string.Empty, string.Empty, LineFault.NoVerb);
        var name = Encoding.ASCII.GetString(verb).ToUpperInvariant();
        if (space < 0) return new(name, string.Empty);
        try
        {
            var argument = encoding.GetString(bytes[(space + 1)..]);
            return argument.AsSpan().ContainsAny('\0', '\r') ? new(name, string.Empty, LineFault.Undecodable) : new(name, argument);
        }
        catch (DecoderFallbackException)
        {
            return new(name, string.Empty, LineFault.Undecodable);
        }
    }

    /// <summary>Removes Telnet commands in place and halves doubled 255s; returns the remaining length.</summary>
    private static int StripTelnet(Span<byte> bytes)
    {
        var to = 0;
        for (var from = 0; from < bytes.Length; from++)
        {
            if (bytes[from] == InterpretAsCommand && from + 1 < bytes.Length && bytes[from + 1] >= FirstCommand)
            {
                from++;
                if (bytes[from] == InterpretAsCommand) bytes[to++] = InterpretAsCommand;
                else if (bytes[from] >= FirstOption) from++;
                continue;
            }

            bytes[to++] = bytes[from];
        }

        return to;
    }
}
