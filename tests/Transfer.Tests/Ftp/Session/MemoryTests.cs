using Transfer.Ftp;
using Transfer.Ftp.Session;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Buffers for contents stay within what the options allow.</summary>
public sealed class MemoryTests
{
    [Test]
    public void All_sessions_together_find_room([Values(1, 3, 8, 32, 200)] int sessions, [Values(1, 4, 100)] int each,
        [Values] FtpTransferType type)
    {
        var options = new FtpOptions { MaxSessions = sessions, MaxBufferBytes = sessions * each * 256L << 10, TransferType = type };
        var buffers = new FtpBuffers(options);
        // Line ends are converted in as much again.
        var needed = (type == FtpTransferType.Ascii ? 4L : 2) * buffers.Size * sessions;
        Assert.That(needed, Is.LessThanOrEqualTo(options.MaxBufferBytes * 7 / 8));
        Assert.That(buffers.Size, Is.EqualTo(256 << 10).Or.GreaterThan((options.MaxBufferBytes * 7 / 8 / sessions / 8) - 1));
    }

    [Test]
    public async Task Sixteen_sessions_under_load_have_two_buffers_each_and_no_more()
    {
        var options = FtpHarness.Options with { MaxSessions = 16, MaxBufferBytes = 16 * 256 << 10 };
        await using var ftp = await FtpHarness.StartAsync(options: options);
        using var folder = new TempFolder();
        using var back = new TempFolder();
        for (var i = 0; i < 48; i++) folder.Add($"f{i}", FtpHarness.Content(1_100_000 + i, i));
        Assert.That((await ftp.Client.UploadDirectoryAsync(folder.Path, "/in").Soon()).Files, Is.EqualTo(48));
        Assert.That((await ftp.Client.DownloadDirectoryAsync("/in", back.Path).Soon()).Files, Is.EqualTo(48));
        for (var i = 0; i < 48; i++) Assert.That(back.Read($"f{i}").AsSpan().SequenceEqual(folder.Read($"f{i}")));
        Assert.That(ftp.Client.Buffers.Peak,
            Is.LessThanOrEqualTo(options.MaxBufferBytes * 7 / 8).And.GreaterThanOrEqualTo(2 * ftp.Client.Buffers.Size));
    }

    [Test]
    public void Less_than_a_session_needs_is_refused() =>
        Assert.That(() => new FtpTransferClient(new Uri("ftp://host/"), new FtpOptions { MaxSessions = 8, MaxBufferBytes = (2 << 20) - 1 }),
            Throws.InstanceOf<ArgumentOutOfRangeException>());
}
