using Transfer.Contents;

namespace Transfer.Tests.Engine;

public sealed class SentTailTests
{
    private const int Most = 64 * 1024;

    [Test]
    public void The_last_bytes_are_kept_however_they_came([Values(1, 7, 4096, 65_536, 100_000, 300_000)] int piece, [Values(1, 1000, Most,
        Most + 1, 300_000)] int length)
    {
        var bytes = Samples.Bytes(length);
        var tail = new SentTail();
        for (var at = 0; at < length; at += piece) tail.Add(at, bytes.AsSpan(at, Math.Min(piece, length - at)));
        var kept = new byte[Math.Min(Most, length)];
        Assert.That(tail.Read(length - kept.Length, kept), Is.EqualTo(kept.Length));
        Assert.That(kept, Is.EqualTo(bytes[^kept.Length..]));
    }

    [Test]
    public void What_is_not_kept_is_not_given()
    {
        var tail = new SentTail();
        Assert.That(tail.Read(0, new byte[1]), Is.Zero);
        tail.Add(0, new byte[Most + 10]);
        Assert.That(tail.Read(9, new byte[1]), Is.Zero);
        Assert.That(tail.Read(10, new byte[1]), Is.EqualTo(1));
        Assert.That(tail.Read(Most, new byte[11]), Is.Zero);
    }
}
