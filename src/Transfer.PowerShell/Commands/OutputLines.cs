using System.Buffers;
using System.Text;

namespace Transfer.PowerShell.Commands;

/// <summary>
/// Splits a command's output into lines as the output arrives. A line of more than a million bytes is split, to bound memory.
/// </summary>
/// <param name="output">The command's output.</param>
/// <param name="encoding">The encoding, in which a line feed is a byte of its own.</param>
internal sealed class OutputLines(Stream output, Encoding encoding)
{
    private const int MostOfLine = 1 << 20;

    private readonly byte[] _buffer = new byte[1 << 15];
    private readonly ArrayBufferWriter<byte> _rest = new();

    /// <summary>The lines that have come by now, which may be none. Null: the output has ended.</summary>
    public async Task<IReadOnlyList<string>?> ReadAsync(CancellationToken ct)
    {
        var read = await output.ReadAsync(_buffer, ct).ConfigureAwait(false);
        if (read == 0) return _rest.WrittenCount == 0 ? null : [Take()];
        return Split(_buffer.AsSpan(0, read));
    }

    private List<string> Split(ReadOnlySpan<byte> bytes)
    {
        var lines = new List<string>();
        while (bytes.IndexOf((byte)'\n') is >= 0 and var end)
        {
            _rest.Write(bytes[..end]);
            lines.Add(Take());
            bytes = bytes[(end + 1)..];
        }
        _rest.Write(bytes);
        if (_rest.WrittenCount >= MostOfLine) lines.Add(Take());
        return lines;
    }

    private string Take()
    {
        var line = encoding.GetString(_rest.WrittenSpan);
        _rest.ResetWrittenCount();
        return line.EndsWith('\r') ? line[..^1] : line;
    }
}
