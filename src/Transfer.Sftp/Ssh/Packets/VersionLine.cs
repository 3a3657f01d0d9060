using System.Text;
using Transfer.Sftp.Ssh.Wire;

namespace Transfer.Sftp.Ssh.Packets;

/// <summary>The protocol version exchange (RFC 4253 section 4.2).</summary>
internal static class VersionLine
{
    /// <summary>The client's version line, without the line end.</summary>
    public static readonly ReadOnlyMemory<byte> Ours = "SSH-2.0-Transfer_0.1"u8.ToArray();

    /// <summary>The longest version line accepted, with the line end.</summary>
    public const int MaxLength = 255;

    /// <summary>The longest line before the version line.</summary>
    public const int MaxPreambleLine = 8 * 1024;

    /// <summary>The most lines before the version line.</summary>
    public const int MaxPreambleLines = 1024;

    /// <summary>
    /// Takes one line off the start; false when the line is incomplete. The line has no end marker; a lone LF counts as one.
    /// </summary>
    /// <exception cref="TransferException">
    /// <see cref="TransferError.Protocol"/>: longer than any line may be, or a version that is not SSH 2.
    /// </exception>
    public static bool TryTakeLine(ReadOnlySpan<byte> data, out ReadOnlySpan<byte> line, out int consumed, out bool isVersion)
    {
        line = default;
        consumed = 0;
        isVersion = data.StartsWith("SSH-"u8);
        var limit = isVersion ? MaxLength : MaxPreambleLine;
        var end = data[..Math.Min(data.Length, limit)].IndexOf((byte)'\n');
        if (end < 0)
        {
            if (data.Length >= limit)
                throw new TransferException(TransferError.Protocol, "The peer does not speak SSH: a line of its greeting does not end.");
            return false;
        }

        consumed = end + 1;
        line = data[..end];
        if (line is [.., (byte)'\r']) line = line[..^1];
        if (isVersion) Check(line);
        return true;
    }

    private static void Check(ReadOnlySpan<byte> line)
    {
        if (line.ContainsAnyExceptInRange((byte)0x20, (byte)0x7E))
            throw new TransferException(TransferError.Protocol, "The SSH version line holds characters that it may not.");
        if (!line.StartsWith("SSH-2.0-"u8) && !line.StartsWith("SSH-1.99-"u8))
        {
            throw new TransferException(TransferError.Unsupported,
                $"The peer speaks no SSH 2: {WireText.Clean(Encoding.ASCII.GetString(line))}");
        }
    }
}
