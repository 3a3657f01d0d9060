using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;

namespace Transfer.Tests.Sftp.Protocol;

/// <summary>Which ends of sessions tell that a server does not answer SETSTAT and FSETSTAT.</summary>
public sealed class AttributeLossTests
{
    [Test]
    public void Sessions_that_are_lost_together_prove_nothing()
    {
        var server = new SftpServerState();
        var before = server.AttributeLosses;
        for (var session = 0; session < 8; session++)
            Assert.That(server.NoteAttributeLoss(SftpPacketType.FSetStat, isLost: true, before), Is.False);
        Assert.That(server.Traits.Has(SftpTrait.NoAttributes), Is.False);
        Assert.That(server.NoteAttributeLoss(SftpPacketType.FSetStat, isLost: true, server.AttributeLosses), Is.True);
        Assert.That(server.Traits.Has(SftpTrait.NoAttributes), Is.True);
    }

    [Test]
    public void A_later_request_with_a_reply_is_proof_at_once()
    {
        var server = new SftpServerState();
        Assert.That(server.NoteAttributeLoss(SftpPacketType.SetStat, isLost: false, before: 0), Is.True);
    }

    [Test]
    public void Behind_a_reply_no_loss_counts()
    {
        var server = new SftpServerState();
        server.NoteAttributeReply(SftpPacketType.FSetStat);
        for (var session = 0; session < 3; session++)
            Assert.That(server.NoteAttributeLoss(SftpPacketType.FSetStat, isLost: true, server.AttributeLosses), Is.False);
    }
}
