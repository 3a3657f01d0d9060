namespace Transfer.Tests.Sessions;

public sealed class SessionPoolDisposalTests
{
    [Test]
    public async Task Waiters_fail_and_openings_are_cancelled_and_awaited()
    {
        var test = new PoolHarness(maxSessions: 1);
        var opening = await test.LeaseAndOpenAsync();
        var waiting = test.Lease();
        var disposal = test.Pool.DisposeAsync().AsTask();

        Assert.That(async () => await opening.WaitAsync(Eventually.Hang), Throws.TypeOf<ObjectDisposedException>());
        Assert.That(async () => await waiting.WaitAsync(Eventually.Hang), Throws.TypeOf<ObjectDisposedException>());
        await Eventually.TrueAsync(() => test.OpeningToken.IsCancellationRequested, "the opening is cancelled");
        Assert.That(disposal.IsCompleted, Is.False);

        test.Fail(0, new OperationCanceledException(test.OpeningToken));
        await disposal.WaitAsync(Eventually.Hang);
        Assert.That(test.Attempts, Is.EqualTo(1));
    }

    [Test]
    public async Task A_session_that_is_opened_all_the_same_is_closed()
    {
        var test = new PoolHarness();
        var opening = await test.LeaseAndOpenAsync();
        var disposal = test.Pool.DisposeAsync().AsTask();
        Assert.That(async () => await opening.WaitAsync(Eventually.Hang), Throws.TypeOf<ObjectDisposedException>());

        var closing = new TaskCompletionSource();
        var session = test.Succeed(0, new PoolSession { Closing = closing.Task });
        await Task.Delay(20);
        Assert.That(disposal.IsCompleted, Is.False, "closing is waited for too");
        closing.SetResult();
        await disposal.WaitAsync(Eventually.Hang);
        Assert.That(session.Disposed);
    }

    [Test]
    public async Task Idle_sessions_are_closed_and_those_on_loan_when_they_come_back()
    {
        var test = new PoolHarness();
        var first = await test.LeaseNewAsync();
        var second = await test.LeaseNewAsync();
        var (idle, lent) = ((PoolSession)first.Session, (PoolSession)second.Session);
        await first.DisposeAsync();

        await test.Pool.DisposeAsync().AsTask().WaitAsync(Eventually.Hang);
        Assert.That(idle.Disposed);
        Assert.That(lent.Disposed, Is.False);

        await second.DisposeAsync();
        Assert.That(lent.Disposed);
        Assert.That(test.Pool.Open, Is.Zero);
    }

    [Test]
    public async Task Sessions_on_loan_can_be_ended_and_idle_ones_are_left()
    {
        var test = new PoolHarness();
        var first = await test.LeaseNewAsync();
        var second = await test.LeaseNewAsync();
        var (idle, lent) = ((PoolSession)first.Session, (PoolSession)second.Session);
        await first.DisposeAsync();
        test.Pool.BreakLeased(new TransferConnectionException("over"));
        Assert.That((lent.Broken, idle.Broken), Is.EqualTo((true, false)));
        await second.DisposeAsync();
        Assert.That(lent.Disposed);
    }

    [Test]
    public async Task A_disposed_pool_lends_nothing_and_keeps_no_timer()
    {
        var test = new PoolHarness();
        await (await test.LeaseNewAsync()).DisposeAsync();
        await Task.WhenAll(test.Pool.DisposeAsync().AsTask(), test.Pool.DisposeAsync().AsTask()).WaitAsync(Eventually.Hang);
        await test.Pool.DisposeAsync();

        Assert.That(async () => await test.Pool.LeaseAsync(default), Throws.TypeOf<ObjectDisposedException>());
        Assert.That(test.Clock.ArmedTimers, Is.Zero);
    }
}
