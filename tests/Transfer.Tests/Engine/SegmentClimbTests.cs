using Transfer.Engine.Segments;

namespace Transfer.Tests.Engine;

/// <summary>How many sessions move one large file on a long link.</summary>
public sealed class SegmentClimbTests
{
    private SegmentClimb _climb = null!;

    [SetUp]
    public void SetUp() => _climb = new SegmentClimb();

    [Test]
    public void There_are_twice_as_many_as_long_as_that_brings_something_and_no_more_when_it_did_not()
    {
        Assert.That(_climb.More(open: 2, given: 2, together: 100, isGrowing: false), Is.EqualTo(2), "the first ones");
        Assert.That(_climb.More(open: 4, given: 3, together: 200, isGrowing: false), Is.EqualTo(3));
        Assert.That(_climb.More(open: 8, given: 8, together: 210, isGrowing: false), Is.Zero);
        Assert.That(_climb.Enough, Is.EqualTo(8));
    }

    [Test]
    public void Those_that_were_asked_for_and_are_not_there_yet_are_asked_for_again()
    {
        _climb.More(open: 2, given: 2, together: 100, isGrowing: false);
        Assert.That(_climb.More(open: 3, given: 5, together: 100, isGrowing: true), Is.EqualTo(1));
    }

    [Test]
    public void While_young_connections_grow_nothing_is_added_and_nothing_is_concluded()
    {
        _climb.More(open: 2, given: 2, together: 100, isGrowing: false);
        Assert.That((_climb.More(open: 4, given: 4, together: 100, isGrowing: true), _climb.Enough), Is.EqualTo((0L, int.MaxValue)));
    }
}
