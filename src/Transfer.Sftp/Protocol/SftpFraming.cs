using System.Buffers;
using System.Buffers.Binary;

namespace Transfer.Sftp.Protocol;

/// <summary>Packets in a byte stream: a length and as many bytes (draft-ietf-secsh-filexfer-02 section 3).</summary>
internal static class SftpFraming
{
    /// <summary>The longest packet that OpenSSH sends or takes, and all other servers with it.</summary>
    public const int MaxPacket = 256 * 1024;

    /// <summary>Takes one whole packet, without the length, from the start of a buffer. False: more bytes are needed.</summary>
    /// <exception cref="TransferException"><see cref="TransferError.Protocol"/>: no packet can have that length.</exception>
    public static bool TryTake(ref ReadOnlySequence<byte> buffer, out ReadOnlySequence<byte> packet)
    {
        packet = default;
        if (buffer.Length < 4) return false;
        Span<byte> head = stackalloc byte[4];
        buffer.Slice(0, 4).CopyTo(head);
        var length = BinaryPrimitives.ReadUInt32BigEndian(head);
        if (length is 0 or > MaxPacket)
            throw new TransferException(TransferError.Protocol, $"The server sent an SFTP packet of {length} bytes.");
        if (buffer.Length < 4 + length) return false;
        packet = buffer.Slice(4, length);
        buffer = buffer.Slice(4 + length);
        return true;
    }
}
