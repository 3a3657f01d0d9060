using Transfer.Pooling;
using Transfer.Tests.Dialing;

namespace Transfer.Tests.Sessions;

/// <summary>Servers whose limit others have found before.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SessionPoolMemoryTests : IDisposable
{
    private readonly TempFolder _folder = new();
    private readonly ManualTime _clock = new();

    private RememberedLimit? Remembered => Limits.Find(PoolHarness.Key);

    private LimitsFile Limits => new(_folder["limits"], _clock, new RecordingLogger());

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task No_more_are_opened_than_are_known_to_be_allowed()
    {
        Remember(2);
        var test = NewPool();
        var leases = Enumerable.Range(0, 8).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(2);
        await KnownAsync(test, 2);
        test.Succeed(0);
        test.Succeed(1);
        foreach (var lease in leases) await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        Assert.That(test.Attempts, Is.EqualTo(2));
        Assert.That(test.Logger.Warnings, Is.Empty);
    }

    [Test]
    public async Task As_many_as_were_asked_for_ahead_are_opened_once_it_is_known()
    {
        Remember(3);
        var test = NewPool();
        test.Pool.Prepare(8);
        await test.AttemptsAsync(3);
        Assert.That(test.Pool.Expected, Is.EqualTo(3));
    }

    [Test]
    public async Task Where_nothing_is_known_all_are_opened_and_nothing_is_written()
    {
        var test = NewPool();
        test.Pool.Prepare(8);
        await test.AttemptsAsync(8);
        for (var i = 0; i < 8; i++) test.Succeed(i);
        await Eventually.TrueAsync(() => test.Pool.Open == 8, "all are open");
        await test.Pool.DisposeAsync();
        Assert.That(_folder.Files, Is.Empty);
    }

    [Test]
    public async Task What_is_allowed_beyond_what_is_asked_for_changes_nothing()
    {
        Remember(20);
        var test = NewPool();
        test.Pool.Prepare(8);
        await test.AttemptsAsync(8);
        Assert.That(test.Pool.Limit, Is.EqualTo(8));
    }

    [Test]
    public async Task A_limit_that_is_found_is_written_and_whoever_comes_next_goes_by_it()
    {
        var first = NewPool();
        var leases = Enumerable.Range(0, 8).Select(_ => first.Lease()).ToArray();
        await first.AttemptsAsync(8);
        for (var i = 0; i < 3; i++) first.Succeed(i);
        await Eventually.TrueAsync(() => first.Pool.Open == 3, "three are open");
        for (var i = 3; i < 8; i++) first.Fail(i, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => first.Pool.Limit == 3, "the limit is found");
        foreach (var lease in leases) await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        await first.Pool.DisposeAsync();
        Assert.That(Remembered?.Sessions, Is.EqualTo(3));

        var second = NewPool();
        second.Pool.Prepare(8);
        await second.AttemptsAsync(3);
        Assert.That(second.Pool.Expected, Is.EqualTo(3));
    }

    [Test]
    public async Task A_limit_is_tried_after_a_minute_here_and_at_once_when_it_is_an_hour_old()
    {
        Remember(1);
        _clock.Advance(LimitMemory.FreshFor - TimeSpan.FromSeconds(1));
        var fresh = NewPool();
        await fresh.LeaseNewAsync();
        await KnownAsync(fresh, 1);
        var waiting = fresh.Lease();
        Assert.That(fresh.Pool.Expected, Is.EqualTo(1));
        _clock.Advance(SessionLimit.RetryAfter);
        await fresh.AttemptsAsync(2);
        fresh.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => fresh.Pool.Limit == 1, "it is refused");
        Assert.That(fresh.Logger.Warnings, Is.Empty, "that was known");

        Remember(1);
        _clock.Advance(LimitMemory.FreshFor);
        var old = NewPool();
        await old.LeaseNewAsync();
        await KnownAsync(old, 1);
        _ = old.Lease();
        _ = old.Lease();
        await old.AttemptsAsync(2);
        Assert.That(old.Pool.Expected, Is.EqualTo(2), "one more, not two");
    }

    [Test]
    public async Task What_comes_of_the_try_is_remembered()
    {
        Remember(1);
        _clock.Advance(LimitMemory.FreshFor);
        var test = NewPool();
        var lease = await test.LeaseNewAsync();
        await KnownAsync(test, 1);
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "it is refused");
        await lease.DisposeAsync();
        await (await waiting.WaitAsync(Eventually.Hang)).DisposeAsync();
        await test.Pool.DisposeAsync();
        Assert.That(Remembered, Is.EqualTo(new RememberedLimit(1, _clock.GetUtcNow())));

        _clock.Advance(LimitMemory.FreshFor);
        test = NewPool();
        await test.LeaseNewAsync();
        await KnownAsync(test, 1);
        await test.LeaseNewAsync();
        await Eventually.TrueAsync(() => Remembered is null, "the server allows more than that");
        _ = test.Lease();
        _clock.Advance(SessionLimit.RetryAfter);
        await test.AttemptsAsync(3);
        test.Fail(2, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => Remembered?.Sessions == 2, "and this is how many");
    }

    [Test]
    public async Task What_was_learned_here_is_forgotten_too_when_it_is_not_so_any_more()
    {
        var test = NewPool();
        await test.LeaseNewAsync();
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => Remembered?.Sessions == 1, "the limit is found");
        test.Pool.BeginJob();
        _clock.Advance(SessionLimit.RetryAfter);
        test.Pool.Prepare(0);
        await test.AttemptsAsync(3);
        test.Succeed(2);
        await waiting.WaitAsync(Eventually.Hang);
        await Eventually.TrueAsync(() => Remembered is null, "the server allows more than that");
    }

    [Test]
    public async Task What_was_written_within_the_hour_is_not_written_again()
    {
        Remember(1);
        _clock.Advance(TimeSpan.FromMinutes(30));
        var test = NewPool();
        var lease = await test.LeaseNewAsync();
        await KnownAsync(test, 1);
        _clock.Advance(SessionLimit.RetryAfter);
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "it is refused");
        await lease.DisposeAsync();
        await (await waiting.WaitAsync(Eventually.Hang)).DisposeAsync();
        await test.Pool.DisposeAsync();
        Assert.That(Remembered?.Learned, Is.EqualTo(_clock.Start));
    }

    private PoolHarness NewPool() => new(limits: Limits, clock: _clock);

    private void Remember(int sessions) => Limits.Remember(PoolHarness.Key, new RememberedLimit(sessions, _clock.GetUtcNow()));

    private static Task KnownAsync(PoolHarness test, int limit) =>
        Eventually.TrueAsync(() => test.Pool.Limit == limit, "what is remembered is read");
}
