using Transfer.Pooling;

namespace Transfer.Tests.Sessions;

public sealed class ServerDistanceTests
{
    private ServerDistance _sight = null!;

    [SetUp]
    public void SetUp() => _sight = new ServerDistance();

    [Test]
    public void A_server_is_far_whose_session_took_long_to_open_unless_it_answers_at_once()
    {
        Assert.That((_sight.IsFar, _sight.IsNear, _sight.Features), Is.EqualTo((false, false, (TransferFeatures?)null)));
        _sight.Opened(new TransferFeatures(), SessionPool.LongOpening);
        Assert.That((_sight.IsFar, _sight.IsLong(SessionPool.LongOpening / 2)), Is.EqualTo((true, false)));
        _sight.Learn(TimeSpan.FromMilliseconds(1));
        Assert.That((_sight.IsFar, _sight.IsNear), Is.EqualTo((false, true)), "it is the server's own time that it took");
    }

    [Test]
    public void The_least_round_trip_counts()
    {
        foreach (var milliseconds in (int[])[30, 20, 40]) _sight.Learn(TimeSpan.FromMilliseconds(milliseconds));
        Assert.That(_sight.RoundTrip, Is.EqualTo(TimeSpan.FromMilliseconds(20)));
    }
}
