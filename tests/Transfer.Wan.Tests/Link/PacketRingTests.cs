using Transfer.Wan.Link.Packets;

namespace Transfer.Wan.Tests.Link;

/// <summary>The link's memory of packets under way.</summary>
public sealed class PacketRingTests
{
    [Test]
    public void Packets_come_out_in_order_with_their_times_and_bytes_however_often_it_wraps()
    {
        using var ring = new PacketRing(0);
        var random = new Random(5);
        var expected = new Queue<(long Due, byte[] Bytes)>();
        for (var i = 0; i < 20_000; i++)
        {
            if (random.Next(2) == 0)
            {
                var room = ring.Reserve();
                if (room.IsEmpty) continue;
                var bytes = new byte[random.Next(1, random.Next(10) == 0 ? PacketRing.MaxPacket : 2000)];
                random.NextBytes(bytes);
                bytes.CopyTo(room);
                ring.Commit(bytes.Length, i);
                expected.Enqueue((i, bytes));
            }
            else if (expected.TryDequeue(out var packet))
            {
                Assert.That(ring.Due, Is.EqualTo(packet.Due));
                Assert.That(ring.First.SequenceEqual(packet.Bytes), Is.True);
                ring.Remove();
            }

            Assert.That(ring.Count, Is.EqualTo(expected.Count));
        }
    }

    [Test]
    public void When_it_is_full_there_is_no_room_until_a_packet_left()
    {
        using var ring = new PacketRing(0);
        while (!ring.Reserve().IsEmpty) ring.Commit(PacketRing.MaxPacket, 0);
        var held = ring.Count;
        Assert.That(held, Is.GreaterThan(1));
        while (ring.Reserve().IsEmpty) ring.Remove();
        Assert.That(ring.Count, Is.LessThan(held));
    }

    [Test]
    public void Room_that_was_not_used_costs_nothing()
    {
        using var ring = new PacketRing(0);
        for (var i = 0; i < 1000; i++) Assert.That(ring.Reserve().IsEmpty, Is.False);
        Assert.That(ring.IsEmpty, Is.True);
    }
}
