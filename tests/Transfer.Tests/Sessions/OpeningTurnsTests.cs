using Microsoft.Extensions.Time.Testing;
using Transfer.Pooling;

namespace Transfer.Tests.Sessions;

public sealed class OpeningTurnsTests
{
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(100);

    [Test]
    public void The_time_between_openings_is_the_one_known_by_now_and_not_the_one_at_the_first_opening()
    {
        var (time, interval) = (new FakeTimeProvider(), Interval);
        var turns = new OpeningTurns(new ServerDistance(), time) { Interval = () => interval };
        turns.Begin();
        time.Advance(Interval / 4);
        Assert.That(turns.UntilNext(opening: 1), Is.EqualTo(Interval * 3 / 4));
        Assert.That(turns.UntilNext(opening: 0), Is.Null);
        // The second session has come without the work that the first one has seemed to cost the server.
        interval = TimeSpan.Zero;
        Assert.That(turns.UntilNext(opening: 1), Is.Null);
    }
}
