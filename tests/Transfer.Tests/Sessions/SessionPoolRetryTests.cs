namespace Transfer.Tests.Sessions;

/// <summary>A server that was there and cannot be reached.</summary>
public sealed class SessionPoolRetryTests
{
    private static readonly RetryOptions Retry = new();

    [Test]
    public async Task It_is_tried_again_later_each_time_and_whoever_waits_gets_the_session()
    {
        var test = await LostAsync();
        var waiter = await test.LeaseAndOpenAsync();
        for (var failures = 1; failures <= 3; failures++)
        {
            await FailAsync(test, failures);
            Assert.That(waiter.IsCompleted, Is.False);
            test.Clock.Advance(Retry.DelayAfter(failures, 0) - TimeSpan.FromMilliseconds(1));
            Assert.That(test.Attempts, Is.EqualTo(failures + 1), "too early");
            test.Clock.Advance(Retry.DelayAfter(failures, 1));
            await test.AttemptsAsync(failures + 2);
        }
        test.Succeed(4);
        await waiter.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task When_it_was_tried_often_enough_all_who_wait_are_told_and_the_next_begins_anew()
    {
        var test = await LostAsync();
        var first = await test.LeaseAndOpenAsync();
        var second = await test.LeaseAndOpenAsync();
        test.Fail(1, Down);
        await FailAsync(test, 2);
        for (var failures = 2; failures <= Retry.Attempts; failures++)
        {
            Assert.That(first.IsCompleted || second.IsCompleted, Is.False);
            test.Clock.Advance(Retry.MaxDelay);
            await test.AttemptsAsync(failures + 2);
            if (failures < Retry.Attempts) await FailAsync(test, failures + 1);
            else test.Fail(failures + 1, Down);
        }
        Assert.That(async () => await first.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
        Assert.That(async () => await second.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
        var next = await test.LeaseAndOpenAsync();
        test.Succeed(test.Attempts - 1);
        await next.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Beside_sessions_that_live_nobody_is_told()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var waiter = await test.LeaseAndOpenAsync();
        for (var failures = 1; failures <= Retry.Attempts + 2; failures++)
        {
            await FailAsync(test, failures);
            test.Clock.Advance(Retry.MaxDelay);
            await test.AttemptsAsync(failures + 2);
        }
        await lease.DisposeAsync();
        await waiter.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task While_it_is_away_one_opening_at_a_time_tries()
    {
        var test = await LostAsync();
        var waiters = new List<Task>();
        for (var i = 0; i < 3; i++) waiters.Add(await test.LeaseAndOpenAsync());
        test.Fail(1, Down);
        test.Fail(2, Down);
        await FailAsync(test, 3);
        test.Clock.Advance(Retry.MaxDelay);
        await test.AttemptsAsync(5);
        test.Clock.Advance(Retry.MaxDelay);
        Assert.That(test.Attempts, Is.EqualTo(5));
        test.Succeed(4);
        // It is back: the others open side by side again.
        await test.AttemptsAsync(7);
    }

    [Test]
    public async Task A_server_that_never_was_there_is_asked_once()
    {
        var test = new PoolHarness();
        var waiter = await test.LeaseAndOpenAsync();
        test.Fail(0, Down);
        Assert.That(async () => await waiter.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
    }

    [Test]
    public async Task What_cannot_succeed_is_told_at_once()
    {
        var test = await LostAsync();
        var waiter = await test.LeaseAndOpenAsync();
        test.Fail(1, new TransferConnectionException(TransferError.Auth, "another password now"));
        Assert.That(async () => await waiter.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
    }

    private static TransferConnectionException Down => new(TransferError.Lost, "connection refused");

    // A pool whose one session was opened and lost.
    private static async Task<PoolHarness> LostAsync()
    {
        var test = new PoolHarness();
        var session = new PoolSession();
        var lease = await test.LeaseNewAsync(session);
        session.Broken = true;
        await lease.DisposeAsync();
        return test;
    }

    private static async Task FailAsync(PoolHarness test, int opening)
    {
        test.Fail(opening, Down);
        await Eventually.TrueAsync(() => test.Clock.ArmedTimers > 0, "the pool waits for the time of the next");
    }
}
