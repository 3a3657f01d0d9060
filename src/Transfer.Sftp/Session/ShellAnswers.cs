using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace Transfer.Sftp.Session;

/// <summary>Reads the output of a <see cref="ShellScript"/>, in pieces of any length.</summary>
internal sealed class ShellAnswers
{
    private const int Digits = 64;

    // The most bytes before the marker, and the longest line.
    private const int MostNoise = 64 * 1024;

    private readonly byte[] _marker;
    private readonly byte[] _home;
    private long _noise;
    private bool _marked;

    public ShellAnswers(string marker, byte[] home)
    {
        _marker = Encoding.ASCII.GetBytes(marker);
        _home = home;
    }

    /// <summary>Whether the marker has arrived, and the shell is in the log-in folder.</summary>
    public bool Trusted { get; private set; }

    /// <summary>Whether the rest of the output is ignored.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>Takes the next file's line. False: more bytes are needed, or the rest is ignored.</summary>
    public bool TryTake(ref ReadOnlySequence<byte> buffer, out int index, out string? hash)
    {
        (index, hash) = (0, null);
        while (!HasEnded && buffer.PositionOf((byte)'\n') is { } end)
        {
            var sequence = buffer.Slice(0, end);
            buffer = buffer.Slice(buffer.GetPosition(1, end));
            if (sequence.Length > MostNoise) break;
            var line = sequence.ToArray().AsSpan();
            if (Trusted && Parse(line, out index, out hash)) return true;
            if (Trusted) continue;
            if (_marked)
            {
                Trusted = line.SequenceEqual(_home);
                HasEnded = !Trusted;
            }
            else
            {
                _marked = line.SequenceEqual(_marker);
                _noise += line.Length + 1;
            }
        }
        HasEnded |= _noise + buffer.Length > MostNoise;
        return false;
    }

    private static bool Parse(ReadOnlySpan<byte> line, out int index, out string? hash)
    {
        hash = null;
        if (!Utf8Parser.TryParse(line, out index, out var used) || index < 0 || used >= line.Length || line[used] != ' ') return false;
        var rest = line[(used + 1)..];
        if (rest.Length < Digits) return rest.IsEmpty;
        foreach (var digit in rest[..Digits])
        {
            if (!char.IsAsciiHexDigit((char)digit)) return true;
        }
        hash = Encoding.ASCII.GetString(rest[..Digits]).ToLowerInvariant();
        return true;
    }
}
