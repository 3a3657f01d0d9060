using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Transfer.Wan.Link.Packets;

namespace Transfer.Wan.Tests.Link;

/// <summary>Super-packets of a TUN device, and runs of segments cut out of them.</summary>
public sealed class SuperPacketTests
{
    private const int Ip4 = 20;
    private const int Ip6 = 40;
    private const int Tcp = 32;
    private const int SegmentSize = 100;
    private const uint Sequence = 0xFFFFFF00;
    private const ushort Id = 0xFFFE;
    private const byte AckPushCwr = 0x10 | 0x08 | 0x80;

    private static byte[] Make(int payload, bool isIp6 = false, int segmentSize = SegmentSize)
    {
        var ip = isIp6 ? Ip6 : Ip4;
        var packet = new byte[VirtioHeader.Size + ip + Tcp + payload];
        var virtio = new VirtioHeader
        {
            Flags = VirtioHeader.NeedsChecksum,
            SegmentType = (byte)(segmentSize == 0 ? 0 : isIp6 ? 4 : 1),
            SegmentSize = (ushort)segmentSize,
            ChecksumStart = (ushort)ip,
            ChecksumOffset = 16,
        };
        MemoryMarshal.Write(packet, in virtio);
        var header = packet.AsSpan(VirtioHeader.Size);
        header[0] = (byte)(isIp6 ? 0x60 : 0x45);
        if (isIp6)
        {
            BinaryPrimitives.WriteUInt16BigEndian(header[4..], (ushort)(Tcp + payload));
        }
        else
        {
            BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)(ip + Tcp + payload));
            BinaryPrimitives.WriteUInt16BigEndian(header[4..], Id);
        }

        for (var i = isIp6 ? 8 : 12; i < ip; i++) header[i] = (byte)(i * 17);
        var tcp = header[ip..];
        BinaryPrimitives.WriteUInt32BigEndian(tcp[4..], Sequence);
        tcp[12] = Tcp / 4 << 4;
        tcp[13] = AckPushCwr;
        for (var i = 0; i < payload; i++) tcp[Tcp + i] = (byte)i;
        return packet;
    }

    private static byte[] Cut(byte[] packet, int first, int end)
    {
        var target = new byte[packet.Length];
        return target[..new SuperPacket(packet).Cut(first, end, target)];
    }

    [Test]
    public void A_packet_without_segments_is_one_with_all_its_bytes()
    {
        var packet = new SuperPacket(Make(1000, segmentSize: 0));
        Assert.That((packet.Segments, packet.WireBytes(0)), Is.EqualTo((1, Ip4 + Tcp + 1000)));
    }

    [Test]
    public void A_super_packet_is_its_segments_each_with_its_headers()
    {
        var packet = new SuperPacket(Make(950));
        Assert.That(packet.Segments, Is.EqualTo(10));
        Assert.That((packet.WireBytes(0), packet.WireBytes(8), packet.WireBytes(9)), Is.EqualTo((152, 152, 102)));
    }

    [Test]
    public void What_the_kernel_calls_a_super_packet_but_is_one_segment_passes_whole()
    {
        var packet = new SuperPacket(Make(SegmentSize));
        Assert.That((packet.Segments, packet.WireBytes(0)), Is.EqualTo((1, Ip4 + Tcp + SegmentSize)));
    }

    [Test]
    public void A_packet_too_short_for_its_headers_passes_whole()
    {
        var packet = new SuperPacket(Make(0).AsSpan(0, VirtioHeader.Size + Ip4 + 10));
        Assert.That((packet.Segments, packet.WireBytes(0)), Is.EqualTo((1, Ip4 + 10)));
    }

    [Test]
    public void A_run_has_the_sequence_number_identification_and_length_of_its_first_segment()
    {
        var run = Cut(Make(950), 2, 5);
        var ip = run.AsSpan(VirtioHeader.Size);
        Assert.That(ip.Length, Is.EqualTo(Ip4 + Tcp + (3 * SegmentSize)));
        Assert.That(BinaryPrimitives.ReadUInt16BigEndian(ip[2..]), Is.EqualTo(ip.Length));
        Assert.That(BinaryPrimitives.ReadUInt16BigEndian(ip[4..]), Is.EqualTo(unchecked((ushort)(Id + 2))));
        Assert.That(BinaryPrimitives.ReadUInt32BigEndian(ip[(Ip4 + 4)..]), Is.EqualTo(unchecked(Sequence + 200)));
        Assert.That(new SuperPacket(run).Segments, Is.EqualTo(3));
    }

    [Test]
    public void The_sums_of_a_run_are_right()
    {
        var ip = Cut(Make(950), 2, 5).AsSpan(VirtioHeader.Size);
        Assert.That(InternetChecksum.Sum(ip[..Ip4]), Is.EqualTo(0xFFFF));
        // The pseudo header: addresses, protocol, length of the TCP segment.
        Assert.That(BinaryPrimitives.ReadUInt16BigEndian(ip[(Ip4 + 16)..]),
            Is.EqualTo(InternetChecksum.Sum(ip[12..20], 6 + ip.Length - Ip4)));
    }

    [TestCase(0, 3, 0x10 | 0x80)]
    [TestCase(3, 6, 0x10)]
    [TestCase(6, 10, 0x10 | 0x08)]
    [TestCase(0, 10, AckPushCwr)]
    public void The_first_segment_keeps_CWR_and_the_last_PSH(int first, int end, byte flags) =>
        Assert.That(Cut(Make(950), first, end)[VirtioHeader.Size + Ip4 + 13], Is.EqualTo(flags));

    [Test]
    public void A_single_segment_is_an_ordinary_packet()
    {
        var segment = Cut(Make(950), 9, 10);
        var virtio = MemoryMarshal.Read<VirtioHeader>(segment);
        Assert.That((virtio.SegmentType, virtio.SegmentSize, virtio.Flags),
            Is.EqualTo((VirtioHeader.NoSegments, (ushort)0, VirtioHeader.NeedsChecksum)));
        Assert.That(segment, Has.Length.EqualTo(VirtioHeader.Size + Ip4 + Tcp + 50));
    }

    [Test]
    public void IPv6_has_a_length_without_its_header()
    {
        var ip = Cut(Make(950, isIp6: true), 1, 3).AsSpan(VirtioHeader.Size);
        Assert.That(BinaryPrimitives.ReadUInt16BigEndian(ip[4..]), Is.EqualTo(Tcp + (2 * SegmentSize)));
        Assert.That(BinaryPrimitives.ReadUInt16BigEndian(ip[(Ip6 + 16)..]),
            Is.EqualTo(InternetChecksum.Sum(ip[8..40], 6 + ip.Length - Ip6)));
    }

    [Test]
    public void Runs_together_hold_the_whole_payload_wherever_it_is_cut()
    {
        const int headers = VirtioHeader.Size + Ip4 + Tcp;
        for (var length = SegmentSize + 1; length < 12 * SegmentSize; length += 37)
        {
            var packet = Make(length);
            var segments = new SuperPacket(packet).Segments;
            for (var middle = 1; middle < segments; middle++)
            {
                byte[] together = [.. Cut(packet, 0, middle)[headers..], .. Cut(packet, middle, segments)[headers..]];
                Assert.That(together, Is.EqualTo(packet[headers..]), $"{length} bytes cut at segment {middle}");
            }
        }
    }
}
