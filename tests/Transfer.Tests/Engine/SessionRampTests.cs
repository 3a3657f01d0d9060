using Transfer.Engine.Scheduling;

namespace Transfer.Tests.Engine;

/// <summary>How many sessions a job may have.</summary>
public sealed class SessionRampTests
{
    [TestCase(3)]
    [TestCase(32)]
    public void A_number_that_somebody_named_stays(int sessions)
    {
        var ramp = new SessionRamp(sessions, sessions);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((sessions, true)));
        Pass(ramp, 1000, 20);
        Assert.That(ramp.Allowed, Is.EqualTo(sessions));
    }

    [TestCase(2, 2)]
    [TestCase(4, 4)]
    [TestCase(8, 4)]
    [TestCase(16, 8)]
    [TestCase(40, 20)]
    public void Files_begin_with_half_of_what_there_may_be_but_not_with_too_few(int most, int first) =>
        Assert.That(SessionRamp.ForFiles(most).Allowed, Is.EqualTo(first));

    [Test]
    public void On_a_long_link_there_are_all_at_once()
    {
        var ramp = new SessionRamp(16, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((4, false)));
        Assert.That(ramp.IsLinkLong, Is.False);
        ramp.AllowAll();
        Assert.That((ramp.Allowed, ramp.IsFinal, ramp.IsLinkLong), Is.EqualTo((16, true, true)));
    }

    [Test]
    public void There_are_twice_as_many_as_long_as_that_brings_something()
    {
        var ramp = new SessionRamp(16, 4);
        Pass(ramp, 10, 4);
        Assert.That(ramp.Allowed, Is.EqualTo(8));
        Pass(ramp, 15, 4);
        Assert.That(ramp.Allowed, Is.EqualTo(16));
        Pass(ramp, 20, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((16, true)));
    }

    [TestCase(11)]
    [TestCase(5)]
    public void And_as_many_as_before_when_it_brought_nothing(int megabytes)
    {
        var ramp = new SessionRamp(16, 4);
        Pass(ramp, 10, 4);
        Pass(ramp, megabytes, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((4, true)));
    }

    [Test]
    public void What_the_new_ones_do_at_first_does_not_count()
    {
        var ramp = new SessionRamp(16, 4);
        Pass(ramp, 10, 4);
        Pass(ramp, 1, 1);
        Pass(ramp, 15, 3);
        Assert.That(ramp.Allowed, Is.EqualTo(16));
    }

    [Test]
    public void Without_work_for_more_nothing_is_tried()
    {
        var ramp = new SessionRamp(16, 4);
        Pass(ramp, 10, 20, busy: false);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((4, false)));
    }

    [Test]
    public void A_small_file_is_work_too()
    {
        var ramp = new SessionRamp(16, 4);
        for (var i = 0; i < 4; i++)
        {
            ramp.FileBegun();
            ramp.Measure(SessionRamp.Interval, busy: true);
        }
        for (var i = 0; i < 4; i++)
        {
            ramp.FileBegun();
            ramp.FileBegun();
            ramp.Measure(SessionRamp.Interval, busy: true);
        }
        Assert.That(ramp.Allowed, Is.EqualTo(16));
    }

    [Test]
    public void Beyond_the_usual_number_a_long_link_has_twice_as_many_as_long_as_that_brings_a_third()
    {
        var ramp = SessionRamp.ForFiles(16, 64);
        ramp.AllowAll();
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((16, false)));
        Pass(ramp, 30, 4);
        Assert.That(ramp.Allowed, Is.EqualTo(32));
        Pass(ramp, 41, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((64, false)));
        Pass(ramp, 54, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((32, true)), "a third is 55");
    }

    [Test]
    public void On_a_short_link_there_are_no_more_than_the_usual_number()
    {
        var ramp = SessionRamp.ForFiles(16, 64);
        for (var i = 0; i < 5; i++) Pass(ramp, 10 << i, 4);
        Assert.That((ramp.Allowed, ramp.IsFinal), Is.EqualTo((16, true)));
    }

    private static void Pass(SessionRamp ramp, int megabytes, int windows, bool busy = true)
    {
        for (var i = 0; i < windows; i++)
        {
            ramp.Moved(megabytes << 20);
            ramp.Measure(SessionRamp.Interval, busy);
        }
    }
}
