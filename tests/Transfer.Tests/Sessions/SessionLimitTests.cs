using Transfer.Pooling;

namespace Transfer.Tests.Sessions;

/// <summary>The limit on sessions, by the options and the server.</summary>
public sealed class SessionLimitTests
{
    [Test]
    public void More_are_allowed_for_a_while_up_to_what_the_server_refused()
    {
        var limit = new SessionLimit(16, TimeProvider.System);
        limit.Allow(64);
        Assert.That((limit.Current, limit.UntilRetry), Is.EqualTo((64, (TimeSpan?)null)));
        Assert.That((limit.Lower(20), limit.Current), Is.EqualTo((true, 20)));
        limit.Allow(16);
        Assert.That((limit.Current, limit.UntilRetry), Is.EqualTo((16, (TimeSpan?)null)));
        limit.BeginJob();
        limit.Allow(32);
        Assert.That(limit.Current, Is.EqualTo(20));
    }

    [Test]
    public void A_remembered_limit_above_the_usual_number_counts_once_more_are_allowed()
    {
        var limit = new SessionLimit(16, TimeProvider.System);
        Assert.That((limit.Recall(24, isFresh: true), limit.Current), Is.EqualTo((false, 16)));
        limit.Allow(64);
        Assert.That(limit.Current, Is.EqualTo(24));
    }
}
