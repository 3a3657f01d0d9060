using System.Buffers.Binary;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>
/// AES-CTR with OpenSSH's encrypt-then-MAC (PROTOCOL section 1.5): the length is in the clear, and the MAC is checked before decryption.
/// </summary>
internal sealed class CtrEtmCipher(CtrKeyStream stream, PacketMac mac) : PacketCipher
{
    public override int BlockSize => 16;

    public override int TagSize => mac.Size;

    public override bool AlignsLength => false;

    public override int HeaderSize => LengthSize;

    public override void Seal(uint sequence, Span<byte> packet, Span<byte> tag)
    {
        stream.Apply(packet[LengthSize..]);
        mac.Compute(sequence, packet, tag);
    }

    public override uint OpenLength(uint sequence, Span<byte> header) => BinaryPrimitives.ReadUInt32BigEndian(header);

    public override bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag)
    {
        if (!mac.Verify(sequence, packet, tag)) return false;
        stream.Apply(packet[LengthSize..]);
        return true;
    }

    public override void Dispose()
    {
        stream.Dispose();
        mac.Dispose();
        base.Dispose();
    }
}
