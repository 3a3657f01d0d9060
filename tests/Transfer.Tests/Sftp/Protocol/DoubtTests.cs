using Transfer.Sessions;
using Transfer.Sftp.Protocol;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>A session that is lost when all of an upload was sent says so: the file need not be sent again to know.</summary>
[Category(Categories.Slow)]
public sealed class DoubtTests
{
    private const int Length = 300_000;

    [TestCase(false)]
    [TestCase(true)]
    public async Task The_answer_to_CLOSE_is_lost(bool direct)
    {
        var server = new FakeServer { Instead = request => request.Type == SftpPacketType.Close ? throw new EndOfStreamException() : null };
        await using var session = await server.OpenAsync();
        var item = await session.RunAsync(SftpHarness.Upload("/home/user/a", SftpHarness.Bytes(Length), direct: direct));
        Assert.That(item.Outcome, Is.InstanceOf<WorkOutcome.InDoubt>());
        Assert.That(((WorkOutcome.InDoubt)item.Outcome).Moved, Is.EqualTo(Length));
        Assert.That(((WorkOutcome.InDoubt)item.Outcome).Publishing, Is.False);
    }

    [Test]
    public async Task What_was_to_be_flushed_and_is_not_known_to_be_is_sent_again()
    {
        var server = new FakeServer
        {
            Extensions = [SftpExtension.PosixRename, SftpExtension.FSync],
            Instead = request => request.Extension == SftpExtension.FSync ? throw new EndOfStreamException() : null,
        };
        await using var session = await server.OpenAsync();
        var file = new TestItem(WorkKind.Upload, "/home/user/a", new TestContent(SftpHarness.Bytes(Length)))
        { TemporaryPath = "/home/user/.transfer-1-a.part", Replace = true, FlushToDisk = true };
        var item = await session.RunAsync(file);
        Assert.That(((WorkOutcome.InDoubt)item.Outcome).Moved, Is.Null);
    }
}
