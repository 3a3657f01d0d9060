using System.Buffers.Binary;

namespace Transfer.Sftp.Ssh.Ciphers;

/// <summary>AES-CTR with a MAC over the plain packet, the order of RFC 4253 section 6.4: even the length is encrypted.</summary>
/// <remarks>
/// The length must be used before the MAC can be checked. The reader of packets reports the same error for an impossible length and for a
/// wrong MAC, at once, as OpenSSH does for counter mode; nothing sent distinguishes them.
/// </remarks>
internal sealed class CtrCipher(CtrKeyStream stream, PacketMac mac) : PacketCipher
{
    public override int BlockSize => 16;

    public override int TagSize => mac.Size;

    public override bool AlignsLength => true;

    public override int HeaderSize => BlockSize;

    public override void Seal(uint sequence, Span<byte> packet, Span<byte> tag)
    {
        mac.Compute(sequence, packet, tag);
        stream.Apply(packet);
    }

    public override uint OpenLength(uint sequence, Span<byte> header)
    {
        stream.Apply(header[..HeaderSize]);
        return BinaryPrimitives.ReadUInt32BigEndian(header);
    }

    public override bool Open(uint sequence, Span<byte> packet, ReadOnlySpan<byte> tag)
    {
        stream.Apply(packet[HeaderSize..]);
        return mac.Verify(sequence, packet, tag);
    }

    public override void Dispose()
    {
        stream.Dispose();
        mac.Dispose();
        base.Dispose();
    }
}
