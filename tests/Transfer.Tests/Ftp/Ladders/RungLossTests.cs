using Transfer.Ftp.Ladders;

namespace Transfer.Tests.Ftp.Ladders;

/// <summary>Which ends of connections tell something of the command that was under way.</summary>
public sealed class RungLossTests
{
    [Test]
    public void Connections_that_end_together_are_one_loss()
    {
        var rungs = new FtpRungs();
        int[] together = [rungs.NextMoment(), rungs.NextMoment(), rungs.NextMoment()];
        Assert.That(together.Select(opened => rungs.NoteLoss(FtpAbility.Times, opened)), Is.All.False);
        var next = rungs.NextMoment();
        Assert.That(rungs.NoteLoss(FtpAbility.SiteChmod, next), Is.False, "another ability");
        Assert.That(rungs.NoteLoss(FtpAbility.Times, next), Is.True);
    }
}
