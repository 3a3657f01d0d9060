using Transfer.Sftp.Protocol;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Buffers of contents are used again, however many are in use at a time, and no more bytes are kept than may be.</summary>
public sealed class BufferTests
{
    private const int Many = 500;

    [TestCase(5_000, 8 << 10)]
    [TestCase(10_240, 16 << 10)]
    [TestCase(40_000, 64 << 10)]
    [TestCase(200_000, SftpFraming.MaxPacket)]
    public void As_many_as_were_in_use_are_kept(int length, int size)
    {
        var buffers = new SftpBuffers((long)Many * size, new SegmentPool());
        var used = Enumerable.Range(0, Many).Select(_ => buffers.Rent(length)).ToHashSet();
        foreach (var buffer in used) buffers.Return(buffer);
        var again = Enumerable.Range(0, Many).Select(_ => buffers.Rent(length)).ToHashSet();
        Assert.That(again.Select(buffer => buffer.Length), Is.All.EqualTo(size));
        Assert.That(again.SetEquals(used));
        Assert.That(again, Has.Count.EqualTo(Many));
    }

    [Test]
    public void Beyond_the_bytes_that_may_be_kept_buffers_are_dropped()
    {
        const int Size = 16 << 10;
        var buffers = new SftpBuffers(10 * Size, new SegmentPool());
        var used = Enumerable.Range(0, Many).Select(i => buffers.Rent(i % 2 == 0 ? Size : 2 * Size)).ToHashSet();
        foreach (var buffer in used) buffers.Return(buffer);
        byte[][] again = [.. Enumerable.Range(0, Many).Select(i => buffers.Rent(i % 2 == 0 ? Size : 2 * Size))];
        Assert.That(again.Where(used.Contains).Sum(buffer => buffer.Length), Is.InRange(9 * Size, 10 * Size));
    }

    [Test]
    public void After_the_last_session_few_are_kept()
    {
        const int Size = 16 << 10;
        var buffers = new SftpBuffers(1 << 30, new SegmentPool());
        buffers.AddUser();
        var used = Enumerable.Range(0, Many).Select(_ => buffers.Rent(Size)).ToHashSet();
        foreach (var buffer in used) buffers.Return(buffer);
        buffers.RemoveUser();
        Assert.That(Enumerable.Range(0, Many).Select(_ => buffers.Rent(Size)).Count(used.Contains), Is.EqualTo(2));
    }
}
