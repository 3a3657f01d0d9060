using Transfer.Engine.Scheduling;
using Transfer.Pooling;
using Transfer.Tests.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>The ramp of all jobs: a pool, a clock and calls, without jobs or sessions at work.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SharedRampTests : IDisposable
{
    private const int Most = 16;
    private const int AtFirst = Most / 2;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly PoolHarness _test = new(Most);
    private readonly SharedRamp _ramp;
    private int _usual = Most;
    private int _looks;

    public SharedRampTests()
    {
        _ramp = new SharedRamp(_test.Pool, Most, 0, () => _usual, _test.Clock, () => _looks++);
        _ramp.ResetLocked();
    }

    public void Dispose() => _ramp.Dispose();

    [TestCase(16, 8)]
    [TestCase(1000, 8)]
    [TestCase(2, 2)]
    [TestCase(0, 1)]
    public void A_new_beginning_has_half_of_the_usual_sessions_within_the_limit(int usual, int allowed)
    {
        _usual = usual;
        _ramp.ResetLocked();
        Assert.That(_ramp.Allowed, Is.EqualTo(allowed));
    }

    [Test]
    public void Looks_begin_when_an_opening_would_be_long_and_repeat_until_the_number_is_final()
    {
        _ramp.WatchLocked();
        _ramp.WatchLocked();
        _test.Clock.Advance(SessionPool.LongOpening - TimeSpan.FromMilliseconds(1));
        Assert.That(_looks, Is.Zero);
        _test.Clock.Advance(TimeSpan.FromMilliseconds(1));
        Assert.That(_looks, Is.EqualTo(1), "one timer only");
        _test.Clock.Advance(SessionRamp.Interval);
        _ramp.StopMeasuringLocked();
        _test.Clock.Advance(SessionRamp.Interval);
        Assert.That(_looks, Is.EqualTo(3), "the number may still change");

        Assert.That(_ramp.TryOpenUpLocked(), "no session is open after that time");
        _ramp.StopMeasuringLocked();
        _test.Clock.Advance(10 * SessionRamp.Interval);
        Assert.That(_looks, Is.EqualTo(3));
    }

    [Test]
    public void A_link_that_proves_long_opens_all_sessions_once_and_for_this_work_only()
    {
        Assert.That((_ramp.Allowed, _ramp.IsOpenedUp, _ramp.IsLinkLong), Is.EqualTo((AtFirst, false, true)), "no session is open yet");
        Assert.That((_ramp.TryOpenUpLocked(), _ramp.TryOpenUpLocked()), Is.EqualTo((true, false)));
        Assert.That((_ramp.Allowed, _ramp.IsOpenedUp), Is.EqualTo((Most, true)));
        _ramp.ResetLocked();
        Assert.That((_ramp.Allowed, _ramp.IsOpenedUp), Is.EqualTo((AtFirst, false)));
    }

    [Test]
    public void At_a_near_server_the_number_stays_small_however_long_the_opening_takes()
    {
        _test.Pool.LearnRoundTrip(TimeSpan.FromMilliseconds(1));
        Assert.That((_ramp.IsLinkLong, _ramp.TryOpenUpLocked(), _ramp.Allowed), Is.EqualTo((false, false, AtFirst)));
    }

    [Test]
    public async Task A_server_that_is_known_to_be_far_needs_no_look()
    {
        var lease = await _test.LeaseAndOpenAsync();
        _test.Clock.Advance(SessionPool.LongOpening);
        _test.Succeed(0);
        await (await lease.Soon()).DisposeAsync();
        _ramp.WatchLocked();
        Assert.That((_ramp.Allowed, _ramp.IsOpenedUp), Is.EqualTo((Most, true)));
        _test.Clock.Advance(10 * SessionRamp.Interval);
        Assert.That(_looks, Is.Zero);
    }

    [Test]
    public void The_pace_is_that_of_the_files_since_the_last_look()
    {
        _ramp.WatchLocked();
        for (var i = 0; i < 10; i++) _ramp.FileBegun();
        _test.Clock.Advance(2 * Second);
        Assert.That(_ramp.LapLocked(), Is.EqualTo((2 * Second, 5d)));
        _test.Clock.Advance(Second);
        Assert.That(_ramp.LapLocked(), Is.EqualTo((Second, 0d)));
        _ramp.FileBegun();
        _ramp.ResetLocked();
        _ramp.WatchLocked();
        _test.Clock.Advance(Second);
        Assert.That(_ramp.LapLocked(), Is.EqualTo((Second, 0d)), "of other jobs");
    }

    [Test]
    public void Work_that_grows_with_the_sessions_gets_more_of_them()
    {
        for (var look = 1; look <= 4; look++)
        {
            _ramp.Moved(10 << 20);
            Assert.That(_ramp.MeasureLocked(Second, busy: true), Is.EqualTo(look == 4), "the sessions that were added pass first");
        }
        Assert.That(_ramp.Allowed, Is.EqualTo(Most));
    }
}
