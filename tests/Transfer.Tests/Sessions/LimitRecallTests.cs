using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

public sealed class LimitRecallTests
{
    [Test]
    public void What_is_wanted_ahead_is_kept_until_the_limit_is_known()
    {
        var recall = new LimitRecall(isRemembered: true);
        Assert.That((recall.IsPending, recall.TryBegin(), recall.TryBegin()), Is.EqualTo((true, true, false)));
        recall.RequestAhead(4, WorkKind.Upload);
        recall.RequestAhead(2, null);
        Assert.That(recall.Complete(), Is.EqualTo((4, (WorkKind?)WorkKind.Upload)));
        Assert.That((recall.IsPending, recall.TryBegin()), Is.EqualTo((false, false)));
    }

    [Test]
    public void Where_nothing_is_remembered_there_is_nothing_to_wait_for()
    {
        var recall = new LimitRecall(isRemembered: false);
        Assert.That((recall.IsPending, recall.TryBegin()), Is.EqualTo((false, false)));
    }
}
