using System.Runtime.InteropServices;

namespace Transfer.Wan.Link.Packets;

/// <summary>What precedes each packet of a TUN device with IFF_VNET_HDR (struct virtio_net_hdr; in the machine's byte order).</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal struct VirtioHeader
{
    public const int Size = 10;

    /// <summary>No super-packet: one packet as on the wire.</summary>
    public const byte NoSegments = 0;

    /// <summary>The checksum at <see cref="ChecksumOffset"/> is to be completed (VIRTIO_NET_HDR_F_NEEDS_CSUM).</summary>
    public const byte NeedsChecksum = 1;

    public byte Flags;

    /// <summary>0: none; 1: TCP over IPv4; 4: TCP over IPv6; 0x80 more: with ECN.</summary>
    public byte SegmentType;

    public ushort HeaderLength;

    /// <summary>Payload bytes of each segment but the last.</summary>
    public ushort SegmentSize;

    /// <summary>Where the transport header begins, counted from the IP header.</summary>
    public ushort ChecksumStart;

    public ushort ChecksumOffset;
}
