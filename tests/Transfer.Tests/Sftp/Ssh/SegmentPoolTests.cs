using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Tests.Sftp.Ssh;

public sealed class SegmentPoolTests
{
    [Test]
    public void What_was_given_back_is_given_out_again()
    {
        using var pool = new SegmentPool(mostKept: 512);
        var first = Enumerable.Range(0, 512).Select(_ => pool.Rent()).ToArray();
        Array.ForEach(first, segment => segment.Dispose());
        var second = Enumerable.Range(0, 512).Select(_ => pool.Rent()).ToArray();

        Assert.That(second, Is.EquivalentTo(first));
        Assert.That(second, Is.Unique);
        Assert.That(second[0].Memory.Length, Is.EqualTo(SegmentPool.SegmentSize));
    }

    [Test]
    public void No_more_is_kept_than_was_said()
    {
        using var pool = new SegmentPool(mostKept: 2);
        var first = Enumerable.Range(0, 3).Select(_ => pool.Rent()).ToArray();
        Array.ForEach(first, segment => segment.Dispose());
        var second = Enumerable.Range(0, 3).Select(_ => pool.Rent()).ToArray();

        Assert.That(second.Intersect(first).Count(), Is.EqualTo(2));
    }

    [Test]
    public void When_there_is_nothing_to_be_received_few_are_kept()
    {
        using var pool = new SegmentPool();
        var first = Enumerable.Range(0, 100).Select(_ => pool.Rent()).ToArray();
        Array.ForEach(first, segment => segment.Dispose());
        pool.Trim();
        var second = Enumerable.Range(0, 100).Select(_ => pool.Rent()).ToArray();

        Assert.That(second.Intersect(first).Count(), Is.InRange(1, 50));
    }
}
