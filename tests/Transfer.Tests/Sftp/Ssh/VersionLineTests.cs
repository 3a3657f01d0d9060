using System.Text;
using Transfer.Sftp.Ssh.Packets;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>The version exchange, RFC 4253 section 4.2.</summary>
public sealed class VersionLineTests
{
    [TestCase("SSH-2.0-OpenSSH_9.2 comment\r\nrest", "SSH-2.0-OpenSSH_9.2 comment", true)]
    [TestCase("SSH-2.0-x\nrest", "SSH-2.0-x", true)]
    [TestCase("SSH-1.99-x\r\nrest", "SSH-1.99-x", true)]
    [TestCase("a notice\r\nSSH-2.0-x\r\n", "a notice", false)]
    [TestCase("\nSSH-2.0-x\r\n", "", false)]
    public void A_line_is_taken(string data, string expected, bool version)
    {
        Assert.That(VersionLine.TryTakeLine(Encoding.ASCII.GetBytes(data), out var line, out var consumed, out var isVersion));
        Assert.That((Encoding.ASCII.GetString(line), isVersion), Is.EqualTo((expected, version)));
        Assert.That(consumed, Is.EqualTo(data.IndexOf('\n', StringComparison.Ordinal) + 1));
    }

    [Test]
    public void A_line_that_is_not_there_whole_is_waited_for()
    {
        var data = "SSH-2.0-server\r\n"u8.ToArray();
        for (var count = 0; count < data.Length; count++)
            Assert.That(VersionLine.TryTakeLine(data.AsSpan(0, count), out _, out _, out _), Is.False);
    }

    [TestCase("SSH-1.5-old\r\n", TransferError.Unsupported)]
    [TestCase("SSH-2.0-a\0b\r\n", TransferError.Protocol)]
    [TestCase("SSH-2.0-\u001b[31m\r\n", TransferError.Protocol)]
    public void Other_versions_and_control_characters_are_refused(string data, TransferError error) =>
        Assert.That(() => VersionLine.TryTakeLine(Encoding.ASCII.GetBytes(data), out _, out _, out _),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(error));

    [TestCase("SSH-2.0-", 255)]
    [TestCase("garbage", 8192)]
    public void A_line_without_end_is_refused_at_its_limit(string start, int limit)
    {
        var data = Encoding.ASCII.GetBytes(start.PadRight(limit, 'x'));
        Assert.That(VersionLine.TryTakeLine(data.AsSpan(0, limit - 1), out _, out _, out _), Is.False);
        Assert.That(() => VersionLine.TryTakeLine(data, out _, out _, out _),
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }
}
