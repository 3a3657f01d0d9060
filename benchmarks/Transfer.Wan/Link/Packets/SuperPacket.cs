using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Transfer.Wan.Link.Packets;

/// <summary>
/// A packet of a TUN device as read: <see cref="VirtioHeader"/>, IP header, TCP header, and payload of one or many segments, which the
/// kernel leaves
/// uncut (TSO). To the wire it is its segments: each has its bytes, each can be lost alone. Runs of neighbouring segments can be cut out,
/// and are super-packets again.
/// </summary>
internal readonly ref struct SuperPacket
{
    private const int TcpProtocol = 6;
    private const byte Fin = 0x01;
    private const byte Push = 0x08;
    private const byte WindowReduced = 0x80;

    private readonly ReadOnlySpan<byte> _packet;
    private readonly VirtioHeader _virtio;

    public SuperPacket(ReadOnlySpan<byte> packet)
    {
        _packet = packet;
        _virtio = MemoryMarshal.Read<VirtioHeader>(packet);
        Headers = packet.Length - VirtioHeader.Size;
        Segments = 1;
        if (_virtio.SegmentType == VirtioHeader.NoSegments || _virtio.SegmentSize == 0) return;

        var tcp = VirtioHeader.Size + _virtio.ChecksumStart;
        // What has no whole TCP header, and what is one segment anyway, passes as it is.
        if (packet.Length < tcp + 20) return;
        var headers = _virtio.ChecksumStart + ((packet[tcp + 12] >> 4) * 4);
        var payload = packet.Length - VirtioHeader.Size - headers;
        if (payload <= _virtio.SegmentSize) return;
        Headers = headers;
        Segments = (payload + _virtio.SegmentSize - 1) / _virtio.SegmentSize;
    }

    /// <summary>How many packets it is on the wire.</summary>
    public int Segments { get; }

    /// <summary>Bytes of IP and TCP headers that each segment has; of a packet that is no super-packet, all its bytes.</summary>
    private int Headers { get; }

    private int Payload => _packet.Length - VirtioHeader.Size - Headers;

    /// <summary>Bytes of a segment on the wire, its headers included.</summary>
    public int WireBytes(int segment) => Headers + PayloadOf(segment);

    /// <summary>
    /// Writes segments <paramref name="first"/> to before <paramref name="end"/> as one packet; returns its length. The target holds no
    /// less than the whole.
    /// </summary>
    public int Cut(int first, int end, Span<byte> target)
    {
        var offset = first * _virtio.SegmentSize;
        var length = Math.Min(Payload, end * _virtio.SegmentSize) - offset;
        _packet[..(VirtioHeader.Size + Headers)].CopyTo(target);
        _packet.Slice(VirtioHeader.Size + Headers + offset, length).CopyTo(target[(VirtioHeader.Size + Headers)..]);

        var virtio = _virtio;
        if (end - first == 1)
        {
            virtio.SegmentType = VirtioHeader.NoSegments;
            virtio.SegmentSize = 0;
        }

        MemoryMarshal.Write(target, in virtio);
        var total = VirtioHeader.Size + Headers + length;
        Renumber(target[VirtioHeader.Size..total], first, offset, isLast: end == Segments);
        return total;
    }

    private int PayloadOf(int segment) =>
        Segments == 1 ? Payload : Math.Min(_virtio.SegmentSize, Payload - (segment * _virtio.SegmentSize));

    /// <summary>
    /// Lengths, identification, sequence number and flags as segmentation sets them (RFC 9293 3.1, RFC 3168 6.1.2), and the sums over them.
    /// </summary>
    private void Renumber(Span<byte> ip, int first, int offset, bool isLast)
    {
        var tcp = ip[_virtio.ChecksumStart..];
        var sequence = BinaryPrimitives.ReadUInt32BigEndian(tcp[4..]);
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], unchecked(sequence + (uint)offset));
        // FIN and PSH belong to the last segment, CWR to the first.
        if (!isLast) tcp[13] &= unchecked((byte)~(Fin | Push));
        if (first > 0) tcp[13] &= unchecked((byte)~WindowReduced);

        ReadOnlySpan<byte> addresses;
        if (ip[0] >> 4 == 4)
        {
            BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)ip.Length);
            var id = BinaryPrimitives.ReadUInt16BigEndian(ip[4..]);
            BinaryPrimitives.WriteUInt16BigEndian(ip[4..], unchecked((ushort)(id + first)));
            var header = ip[.._virtio.ChecksumStart];
            BinaryPrimitives.WriteUInt16BigEndian(header[10..], 0);
            BinaryPrimitives.WriteUInt16BigEndian(header[10..], unchecked((ushort)~InternetChecksum.Sum(header)));
            addresses = ip[12..20];
        }
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(ip[4..], (ushort)(ip.Length - 40));
            addresses = ip[8..40];
        }

        // The kernel leaves the pseudo header's sum there and says so by NeedsChecksum: the length is part of it.
        BinaryPrimitives.WriteUInt16BigEndian(tcp[16..], InternetChecksum.Sum(addresses, TcpProtocol + tcp.Length));
    }
}
