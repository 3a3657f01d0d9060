using Transfer.Contents;
using Transfer.Journal;

namespace Transfer.Tests.Engine;

public sealed class ReceivedEndsTests
{
    private const int Most = RangeTail.MaxLength;

    [Test]
    public void The_first_and_the_last_bytes_can_be_read_again(
        [Values(1, Most - 1, Most, Most + 1, 2 * Most, 2 * Most + 1, 5 * Most)] int length, [Values(0, 1000)] int start,
        [Values(7001, 5 * Most)] int piece)
    {
        var (ends, bytes) = (new ReceivedEnds(start), Samples.Bytes(length));
        Write(ends, start, Samples.Bytes(Most + 9, 2), piece); // an attempt before
        Write(ends, start, bytes, piece);
        var (first, last) = (Math.Min(length, Most), Math.Max(0, length - Most));
        Same.Bytes(Read(ends, start, first), bytes.AsSpan(0, first));
        Same.Bytes(Read(ends, start + last, length - last), bytes.AsSpan(last));
        Assert.That(Read(ends, start + length - 1, 2), Is.Empty, "behind the end");
        if (start > 0) Assert.That(Read(ends, start - 1, 1), Is.Empty, "before the first byte");
        if (length > 3 * Most) Assert.That(Read(ends, start + length / 2, 1), Is.Empty, "not kept");
    }

    private static void Write(ReceivedEnds ends, long start, byte[] bytes, int piece)
    {
        for (var at = 0; at < bytes.Length; at += piece)
            ends.Add(start + at, bytes.AsSpan(at, Math.Min(piece, bytes.Length - at)));
    }

    private static byte[] Read(ReceivedEnds ends, long offset, int count)
    {
        var buffer = new byte[count];
        return buffer[..ends.Read(offset, buffer)];
    }
}
