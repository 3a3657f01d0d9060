using Transfer.Pooling;

namespace Transfer.Tests.Sessions;

/// <summary>Servers that allow fewer sessions than the options do.</summary>
public sealed class SessionPoolLimitTests
{
    [Test]
    public async Task Refused_beside_another_session_the_pool_makes_do_and_the_waiter_waits()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var session = lease.Session;
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");
        Assert.That(waiting.IsCompleted, Is.False);

        await lease.DisposeAsync();
        Assert.That((await waiting.WaitAsync(Eventually.Hang)).Session, Is.SameAs(session));
        Assert.That(test.Attempts, Is.EqualTo(2));
        Assert.That(test.Logger.Warnings, Has.Exactly(1).Items.And.All.Contains("with 1"));
    }

    [Test]
    public async Task Refused_beside_an_idle_session_the_pool_makes_do_too()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        using var stop = new CancellationTokenSource();
        _ = await test.LeaseAndOpenAsync(stop.Token);
        await stop.CancelAsync();
        await lease.DisposeAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");
    }

    [TestCase(false)]
    [TestCase(true, Description = "One session is on loan.")]
    public async Task Idle_sessions_and_those_being_opened_ahead_are_closed_but_for_one(bool isLent)
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        if (!isLent) await lease.DisposeAsync();
        test.Pool.Prepare(4);
        await test.AttemptsAsync(4);
        test.Succeed(1);
        await Eventually.TrueAsync(() => test.Pool.Open == 2, "one more is open");

        var closing = test.Pool.CloseIdleAsync(CancellationToken.None).AsTask();
        await Eventually.TrueAsync(() => test.Pool.Open == 1, "one of them is closed");
        Assert.That(closing.IsCompleted, Is.False, "two are being opened");
        test.Succeed(2);
        test.Fail(3, PoolHarness.Refusal);
        Assert.That(await closing.Soon());
        Assert.That((test.Pool.Open, test.Pool.Expected), Is.EqualTo((1, 1)));
        Assert.That(await test.Pool.CloseIdleAsync(CancellationToken.None).Soon(), Is.False);
        if (isLent) await lease.DisposeAsync();
    }

    [Test]
    public async Task Refused_with_nothing_else_open_the_waiter_has_the_error()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseAndOpenAsync();
        test.Fail(0, PoolHarness.Refusal);
        Assert.That(async () => await lease.WaitAsync(Eventually.Hang),
            Throws.TypeOf<TransferException>().With.Property("ServerCode").EqualTo(421));
        Assert.That(test.Pool.Limit, Is.EqualTo(8));
        Assert.That(test.Logger.Warnings, Is.Empty);
    }

    [Test]
    public async Task Other_failures_do_not_lower_the_limit()
    {
        var test = new PoolHarness();
        await test.LeaseNewAsync();
        var failing = await test.LeaseAndOpenAsync();
        test.Fail(1, new TransferConnectionException(TransferError.Tls, "handshake"));
        Assert.That(async () => await failing.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
        Assert.That(test.Pool.Limit, Is.EqualTo(8));
    }

    [Test]
    public async Task Parallel_openings_find_out_how_many_there_may_be()
    {
        var test = new PoolHarness();
        var leases = Enumerable.Range(0, 8).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(8);
        foreach (var i in new[] { 0, 1, 2 }) test.Fail(i, PoolHarness.Refusal);
        foreach (var i in new[] { 3, 4, 5 }) test.Succeed(i);
        await Eventually.TrueAsync(() => leases.Count(l => l.IsCompletedSuccessfully) == 3, "three are served");
        foreach (var i in new[] { 6, 7 }) test.Fail(i, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 3, "the limit is found");
        Assert.That(test.Pool.WaitingCount, Is.EqualTo(5));
        Assert.That(leases.Any(l => l.IsFaulted), Is.False);

        foreach (var lease in leases) await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        Assert.That(test.Attempts, Is.EqualTo(8), "nobody has tried again");
        Assert.That(test.Logger.Warnings.Distinct().Count(), Is.EqualTo(test.Logger.Warnings.Count()));
        Assert.That(test.Logger.Warnings.Last(), Does.Contain("with 3"));
    }

    // A wrong password is 530 on the servers that answer 530 to one session too many.
    [Test]
    public async Task When_all_parallel_openings_are_refused_each_waiter_has_its_own_error_and_none_tries_twice()
    {
        var test = new PoolHarness(maxSessions: 4);
        var leases = Enumerable.Range(0, 4).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(4);
        for (var i = 0; i < 4; i++) test.Fail(i, PoolHarness.Refusal);

        foreach (var lease in leases)
            Assert.That(async () => await lease.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferException>());
        Assert.That(leases.Select(l => l.Exception!.InnerException).Distinct().Count(), Is.EqualTo(4));
        Assert.That(test.Attempts, Is.EqualTo(4));
        Assert.That(test.Pool.Limit, Is.EqualTo(4));
        Assert.That(test.Logger.Warnings, Is.Empty);
    }

    [Test]
    public async Task When_some_are_refused_and_the_rest_fail_otherwise_nobody_hangs()
    {
        var test = new PoolHarness(maxSessions: 2);
        var leases = Enumerable.Range(0, 3).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(2);
        test.Fail(0, PoolHarness.Refusal);
        await test.AttemptsAsync(3); // the third, in the place that has become free
        test.Fail(1, new TransferConnectionException("reset"));
        test.Fail(2, new TransferConnectionException("reset"));
        Assert.That(async () => await Task.WhenAll(leases).WaitAsync(Eventually.Hang), Throws.InstanceOf<TransferException>());
        Assert.That(leases.All(l => l.IsFaulted));
    }

    [Test]
    public async Task Who_was_refused_beside_an_opening_that_then_succeeded_may_try_again_when_that_session_dies()
    {
        var test = new PoolHarness(maxSessions: 2);
        var first = await test.LeaseAndOpenAsync();
        var refused = await test.LeaseAndOpenAsync();
        var third = test.Lease();
        test.Fail(1, PoolHarness.Refusal);
        await test.AttemptsAsync(3); // the third's, in the place that has become free: the refusal is known
        test.Succeed(0, new PoolSession { Broken = true });
        await (await first.WaitAsync(Eventually.Hang)).DisposeAsync();

        await test.AttemptsAsync(4);
        test.Succeed(2);
        test.Succeed(3);
        await Task.WhenAll(refused, third).WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Waiters_beyond_a_lowered_limit_still_get_an_attempt_when_the_last_session_dies()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");
        var another = test.Lease();

        ((PoolSession)lease.Session).Broken = true;
        await lease.DisposeAsync();
        await test.AttemptsAsync(3);
        test.Fail(2, PoolHarness.Refusal); // beside nothing: the error
        Assert.That(async () => await waiting.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferException>());
        await test.AttemptsAsync(4);
        test.Succeed(3);
        await another.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Refused_while_the_old_session_is_still_being_closed_it_is_tried_again_afterwards()
    {
        var test = new PoolHarness();
        var closing = new TaskCompletionSource();
        var lease = await test.LeaseNewAsync(new PoolSession { Closing = closing.Task, Broken = true });
        var returned = lease.DisposeAsync().AsTask();
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");

        closing.SetResult();
        await returned;
        await test.AttemptsAsync(3);
        test.Succeed(2);
        await waiting.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_lowered_limit_is_tried_one_higher_after_a_while_and_only_when_somebody_waits()
    {
        var (test, lease) = await LoweredToOneAsync();
        test.Pool.BeginJob();
        test.Clock.Advance(SessionLimit.RetryAfter * 10);
        Assert.That(test.Attempts, Is.EqualTo(2), "nobody waits");

        var second = await test.LeaseAndOpenAsync(); // its time has come long ago
        Assert.That(test.Pool.Limit, Is.EqualTo(2));
        var third = test.Lease();
        test.Clock.Advance(SessionLimit.RetryAfter - TimeSpan.FromMilliseconds(1));
        Assert.That(test.Attempts, Is.EqualTo(3), "one at a time");

        test.Succeed(2);
        await second.WaitAsync(Eventually.Hang);
        test.Clock.Advance(TimeSpan.FromMilliseconds(1)); // nothing but the timer tells it
        await test.AttemptsAsync(4);
        test.Succeed(3);
        await third.WaitAsync(Eventually.Hang);
        Assert.That(test.Pool.Open, Is.EqualTo(3));
        await lease.DisposeAsync();
    }

    [Test]
    public async Task A_job_that_has_met_the_limit_does_not_meet_it_again()
    {
        var (test, lease) = await LoweredToOneAsync();
        var waiting = test.Lease();
        test.Clock.Advance(SessionLimit.RetryAfter * 10);
        test.Pool.Prepare(8);
        Assert.That((test.Attempts, test.Pool.Limit), Is.EqualTo((2, 1)));
        BeginJob(test);
        await test.AttemptsAsync(3); // the next job's
        test.Fail(2, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered again");
        await lease.DisposeAsync();
        await waiting.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_refusal_of_credentials_that_have_opened_a_session_is_a_limit()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var waiting = await test.LeaseAndOpenAsync();
        test.Fail(1, new TransferConnectionException(TransferError.Auth, "Too many log-ins."));
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");
        await lease.DisposeAsync();
        await waiting.WaitAsync(Eventually.Hang);
        Assert.That(test.Attempts, Is.EqualTo(2));
    }

    [Test]
    public async Task Near_servers_are_asked_for_one_session_after_the_other_unless_one_takes_long()
    {
        var test = new PoolHarness();
        test.Pool.LearnRoundTrip(TimeSpan.FromMilliseconds(1));
        var leases = Enumerable.Range(0, 4).Select(_ => test.Lease()).ToArray();
        test.Pool.Prepare(8);
        await test.AttemptsAsync(1);
        test.Succeed(0);
        await test.AttemptsAsync(2);
        Assert.That(test.Pool.Expected, Is.EqualTo(2));
        test.Clock.Advance(OpeningTurns.Patience);
        await test.AttemptsAsync(3);
        test.Fail(2, PoolHarness.Refusal);
        test.Succeed(1);
        await Eventually.TrueAsync(() => test.Pool.Limit == 2, "the limit is lowered");
        foreach (var lease in leases) await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        Assert.That(test.Attempts, Is.EqualTo(3), "the refusal answered all");
    }

    [Test]
    public async Task A_limit_found_again_is_no_news_but_a_new_one_is()
    {
        var (test, _) = await LoweredToOneAsync();
        var waiting = test.Lease();
        for (var i = 2; i < 5; i++)
        {
            BeginJob(test);
            test.Clock.Advance(SessionLimit.RetryAfter);
            await test.AttemptsAsync(i + 1);
            test.Fail(i, PoolHarness.Refusal);
            await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered again");
        }
        Assert.That(test.Logger.Warnings, Has.Exactly(1).Items);

        BeginJob(test);
        test.Clock.Advance(SessionLimit.RetryAfter);
        await test.AttemptsAsync(6);
        test.Succeed(5);
        var second = await waiting.WaitAsync(Eventually.Hang);
        ((PoolSession)second.Session).Broken = true;
        await second.DisposeAsync();

        var again = await test.LeaseAndOpenAsync();
        test.Fail(6, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the server has changed its mind");
        Assert.That(test.Logger.Warnings, Has.Exactly(2).Items);
        Assert.That(again.IsCompleted, Is.False);
    }

    // A job's first act is to wait for a session.
    private static void BeginJob(PoolHarness test)
    {
        test.Pool.BeginJob();
        test.Pool.Prepare(0);
    }

    private static async Task<(PoolHarness Test, SessionLease Lease)> LoweredToOneAsync()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        using var stop = new CancellationTokenSource();
        _ = await test.LeaseAndOpenAsync(stop.Token);
        test.Fail(1, PoolHarness.Refusal);
        await Eventually.TrueAsync(() => test.Pool.Limit == 1, "the limit is lowered");
        await stop.CancelAsync();
        return (test, lease);
    }
}
