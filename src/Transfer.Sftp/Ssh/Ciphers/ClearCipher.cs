using System.Buffers.Binary;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>No protection: the packets before the first NEWKEYS.</summary>
internal sealed class ClearCipher : PacketCipher
{
    public override int BlockSize => 8;

    public override int TagSize => 0;

    public override bool AlignsLength => true;

    public override int HeaderSize => LengthSize;

    public override void Seal(uint sequence, Span<byte> packet, Span<byte> tag)
    {
        // The length is not encrypted.
    }

    public override uint OpenLength(uint sequence, Span<byte> header) => BinaryPrimitives.ReadUInt32BigEndian(header);

    public override bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag) => true;
}
