using Transfer.Batch.Carriers.Link;

namespace Transfer.Tests.Batch.Direct;

/// <summary>How many lanes pay.</summary>
public sealed class LaneModelTests
{
    [TestCase(0.05, 1)]
    [TestCase(1, 1)]
    [TestCase(25, 1)]
    [TestCase(40, 2)]
    [TestCase(100, 4)]
    [TestCase(200, 8)]
    [TestCase(1000, 8)]
    public void Longer_round_trips_want_more(double milliseconds, int lanes) =>
        Assert.That(LaneModel.Begin(TimeSpan.FromMilliseconds(milliseconds)), Is.EqualTo(lanes));

    [Test]
    public void Where_the_round_trip_is_not_known_there_are_a_few() => Assert.That(LaneModel.Begin(null), Is.EqualTo(2));

    [TestCase(1, 2, 0.1, true)]
    [TestCase(1, 2, 0.5, false, Description = "the link is full")]
    [TestCase(2, 2, 0, false, Description = "no processor is left")]
    [TestCase(4, 64, 0, false, Description = "more would only get in each other's way")]
    public void One_more_pays_where_packing_holds_them_up(int lanes, int processors, double waited, bool pays) =>
        Assert.That(LaneModel.PaysOneMore(lanes, processors, TimeSpan.FromSeconds(waited), TimeSpan.FromSeconds(1)), Is.EqualTo(pays));
}
