using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Pooling;
using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

public sealed class SessionPoolTests
{
    [Test]
    public async Task A_session_is_opened_when_first_needed_and_lent_again()
    {
        var test = new PoolHarness();
        Assert.That(test.Pool.LastFeatures, Is.Null);
        var first = await test.LeaseNewAsync();
        var session = first.Session;
        Assert.That(test.Pool.LastFeatures, Is.SameAs(session.Features));
        await first.DisposeAsync();

        var second = test.Pool.LeaseAsync(default);
        Assert.That(second.IsCompleted, "no waiting for an idle session");
        Assert.That((await second).Session, Is.SameAs(session));
        Assert.That(test.Attempts, Is.EqualTo(1));
    }

    [Test]
    public async Task Counts_say_what_is_open_and_what_was()
    {
        var test = new PoolHarness(maxSessions: 2);
        var first = await test.LeaseNewAsync();
        var second = await test.LeaseNewAsync();
        var third = test.Lease();
        Assert.That((test.Pool.Open, test.Pool.Peak, test.Pool.Limit, test.Pool.WaitingCount), Is.EqualTo((2, 2, 2, 1)));

        await first.DisposeAsync();
        await (await third).DisposeAsync();
        ((PoolSession)second.Session).Broken = true;
        await second.DisposeAsync();
        Assert.That((test.Pool.Open, test.Pool.Peak, test.Pool.Limit, test.Pool.WaitingCount), Is.EqualTo((1, 2, 2, 0)));
    }

    [Test]
    public async Task The_most_recently_used_session_is_lent_first()
    {
        var test = new PoolHarness();
        var first = await test.LeaseNewAsync();
        var second = await test.LeaseNewAsync();
        var latest = first.Session;
        await second.DisposeAsync();
        await first.DisposeAsync();
        Assert.That((await test.Lease()).Session, Is.SameAs(latest));
    }

    [Test]
    public async Task Sessions_are_opened_side_by_side_up_to_the_limit()
    {
        var test = new PoolHarness(maxSessions: 3);
        var leases = Enumerable.Range(0, 5).Select(_ => test.Lease()).ToArray();
        await test.AttemptsAsync(3);
        Assert.That(test.Pool.WaitingCount, Is.EqualTo(5));

        for (var i = 0; i < 3; i++) test.Succeed(i);
        await Task.WhenAll(leases[..3]).WaitAsync(Eventually.Hang);
        Assert.That(test.Attempts, Is.EqualTo(3));
        Assert.That(leases[3].IsCompleted || leases[4].IsCompleted, Is.False);
    }

    [Test]
    public async Task The_line_is_served_in_order()
    {
        var test = new PoolHarness(maxSessions: 1);
        var lease = await test.LeaseNewAsync();
        var waiting = Enumerable.Range(0, 4).Select(_ => test.Lease()).ToList();
        while (waiting.Count > 0)
        {
            Assert.That(waiting.Any(w => w.IsCompleted), Is.False);
            await lease.DisposeAsync();
            lease = await waiting[0].WaitAsync(Eventually.Hang);
            waiting.RemoveAt(0);
        }
        Assert.That(test.Attempts, Is.EqualTo(1));
    }

    [Test]
    public async Task The_first_in_line_gets_the_first_session_that_opens()
    {
        var test = new PoolHarness();
        var first = await test.LeaseAndOpenAsync();
        var second = await test.LeaseAndOpenAsync();
        var session = test.Succeed(1); // opened on the second's account
        Assert.That((await first.WaitAsync(Eventually.Hang)).Session, Is.SameAs(session));
        Assert.That(second.IsCompleted, Is.False);
        test.Succeed(0);
        await second.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_session_given_back_serves_a_waiter_whose_opening_then_ends_idle()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var session = lease.Session;
        var waiting = await test.LeaseAndOpenAsync();
        await lease.DisposeAsync();
        Assert.That((await waiting.WaitAsync(Eventually.Hang)).Session, Is.SameAs(session));

        var spare = test.Succeed(1);
        await Eventually.TrueAsync(() => test.Pool.Open == 2, "the spare session is there");
        Assert.That((await test.Lease()).Session, Is.SameAs(spare));
        Assert.That(test.Attempts, Is.EqualTo(2));
    }

    [Test]
    public async Task An_opening_nobody_waits_for_any_more_is_taken_over_by_the_next()
    {
        var test = new PoolHarness();
        using var stop = new CancellationTokenSource();
        var gone = await test.LeaseAndOpenAsync(stop.Token);
        await stop.CancelAsync();
        Assert.That(async () => await gone.WaitAsync(Eventually.Hang),
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(stop.Token));

        var next = test.Lease();
        var session = test.Succeed(0);
        Assert.That((await next.WaitAsync(Eventually.Hang)).Session, Is.SameAs(session));
        Assert.That(test.Attempts, Is.EqualTo(1));
    }

    [Test]
    public async Task The_failure_of_an_opening_taken_over_goes_to_who_took_it_over()
    {
        var test = new PoolHarness();
        using var stop = new CancellationTokenSource();
        _ = await test.LeaseAndOpenAsync(stop.Token);
        await stop.CancelAsync();
        var next = test.Lease();
        test.Fail(0, new TransferException(TransferError.Auth, "no"));
        Assert.That(async () => await next.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferException>());
    }

    [Test]
    public async Task A_session_opened_after_its_waiter_was_cancelled_becomes_idle()
    {
        var test = new PoolHarness();
        using var stop = new CancellationTokenSource();
        _ = await test.LeaseAndOpenAsync(stop.Token);
        await stop.CancelAsync();
        Assert.That(test.Pool.WaitingCount, Is.Zero);

        var session = test.Succeed(0);
        await Eventually.TrueAsync(() => test.Pool.Open == 1, "it is kept");
        Assert.That(session.Disposed, Is.False);
        test.Clock.Advance(PoolHarness.Lifetime);
        await Eventually.TrueAsync(() => session.Disposed, "and closed when its time has come");
    }

    [Test]
    public async Task A_failure_that_nobody_waits_for_is_logged()
    {
        var test = new PoolHarness();
        using var stop = new CancellationTokenSource();
        _ = await test.LeaseAndOpenAsync(stop.Token);
        await stop.CancelAsync();
        test.Fail(0, new TransferException(TransferError.Protocol, "no FTP at all"));
        await Eventually.TrueAsync(() => test.Logger.Messages.Any(m => m.Contains("no FTP at all", StringComparison.Ordinal)),
            "it is logged");
        Assert.That(test.Pool.Open, Is.Zero);
        await test.LeaseNewAsync(); // the next has an opening of its own
    }

    [Test]
    public async Task A_waiter_cancelled_in_the_middle_of_the_line_costs_the_others_nothing()
    {
        var test = new PoolHarness(maxSessions: 1);
        var lease = await test.LeaseNewAsync();
        using var stop = new CancellationTokenSource();
        var cancelled = test.Lease(stop.Token);
        var next = test.Lease();
        await stop.CancelAsync();
        await lease.DisposeAsync();

        await next.WaitAsync(Eventually.Hang);
        Assert.That(async () => await cancelled, Throws.InstanceOf<OperationCanceledException>());
    }

    [Test]
    public void A_lease_that_was_cancelled_before_opens_nothing()
    {
        var test = new PoolHarness();
        using var stop = new CancellationTokenSource();
        stop.Cancel();
        Assert.That(async () => await test.Lease(stop.Token), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(test.Pool.WaitingCount, Is.Zero);
    }

    [Test]
    public async Task A_failure_goes_to_the_waiter_that_caused_it_and_to_no_other()
    {
        var test = new PoolHarness();
        var first = await test.LeaseAndOpenAsync();
        var second = await test.LeaseAndOpenAsync();
        var error = new TransferException(TransferError.Auth, "530 no");
        test.Fail(1, error);

        Assert.That((await Assert.CatchAsync(async () => await second.WaitAsync(Eventually.Hang))), Is.SameAs(error));
        Assert.That(first.IsCompleted, Is.False);
        test.Succeed(0);
        await first.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task When_every_opening_fails_every_waiter_has_an_attempt_and_an_error()
    {
        var test = new PoolHarness(maxSessions: 2);
        var leases = Enumerable.Range(0, 5).Select(_ => test.Lease()).ToArray();
        for (var i = 0; i < 5; i++)
        {
            await test.AttemptsAsync(i + 1);
            test.Fail(i, new TransferConnectionException($"attempt {i}"));
        }
        foreach (var lease in leases)
            Assert.That(async () => await lease.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>());
        Assert.That(leases.Select(l => l.Exception!.InnerException!.Message).Distinct().Count(), Is.EqualTo(5));
        Assert.That(test.Attempts, Is.EqualTo(5));
    }

    [Test]
    public async Task A_broken_session_is_closed_when_it_comes_back_and_replaced()
    {
        var test = new PoolHarness(maxSessions: 1);
        var lease = await test.LeaseNewAsync();
        var broken = (PoolSession)lease.Session;
        var waiting = test.Lease();
        broken.Broken = true;
        await lease.DisposeAsync();
        Assert.That(broken.Disposed);

        await test.AttemptsAsync(2);
        var session = test.Succeed(1);
        Assert.That((await waiting.WaitAsync(Eventually.Hang)).Session, Is.SameAs(session));
    }

    [Test]
    public async Task A_session_that_broke_while_idle_is_not_lent()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        var broken = (PoolSession)lease.Session;
        await lease.DisposeAsync();
        broken.Broken = true;

        var other = await test.LeaseNewAsync();
        Assert.That(other.Session, Is.Not.SameAs(broken));
        await Eventually.TrueAsync(() => broken.Disposed, "it is closed");
    }

    [Test]
    public async Task A_session_holds_its_place_until_it_is_closed()
    {
        var test = new PoolHarness(maxSessions: 1);
        var closing = new TaskCompletionSource();
        var lease = await test.LeaseNewAsync(new PoolSession { Closing = closing.Task, Broken = true });
        var returned = lease.DisposeAsync().AsTask();
        var waiting = test.Lease();
        await Task.Delay(20);
        Assert.That(test.Attempts, Is.EqualTo(1));

        closing.SetResult();
        await returned;
        await test.AttemptsAsync(2);
        test.Succeed(1);
        await waiting.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_session_that_cannot_be_closed_frees_its_place_all_the_same()
    {
        var test = new PoolHarness(maxSessions: 1);
        var lease = await test.LeaseNewAsync(new PoolSession { Closing = Task.FromException(new IOException("stuck")), Broken = true });
        await lease.DisposeAsync();
        Assert.That(test.Logger.Messages, Has.Some.Contains("could not be closed"));
        await test.LeaseNewAsync();
    }

    [Test]
    public async Task Idle_sessions_are_closed_when_their_time_has_come_the_oldest_first()
    {
        var test = new PoolHarness();
        var first = await test.LeaseNewAsync();
        var second = await test.LeaseNewAsync();
        var (old, young) = ((PoolSession)first.Session, (PoolSession)second.Session);
        await first.DisposeAsync();
        test.Clock.Advance(PoolHarness.Lifetime / 2);
        await second.DisposeAsync();

        test.Clock.Advance(PoolHarness.Lifetime / 2 - TimeSpan.FromMilliseconds(1));
        Assert.That(old.Disposed, Is.False);
        test.Clock.Advance(TimeSpan.FromMilliseconds(1));
        await Eventually.TrueAsync(() => old.Disposed, "the older is closed");
        Assert.That(young.Disposed, Is.False);

        test.Clock.Advance(PoolHarness.Lifetime / 2);
        await Eventually.TrueAsync(() => young.Disposed && test.Pool.Open == 0, "the younger is closed");
        Assert.That(test.Clock.ArmedTimers, Is.Zero);
    }

    [Test]
    public async Task A_session_that_is_used_now_and_then_stays_open()
    {
        var test = new PoolHarness();
        var session = (PoolSession)(await BorrowAndReturnAsync(await test.LeaseNewAsync()));
        for (var i = 0; i < 5; i++)
        {
            test.Clock.Advance(PoolHarness.Lifetime * 0.9);
            Assert.That(await BorrowAndReturnAsync(await test.Lease()), Is.SameAs(session));
        }
        Assert.That(session.Disposed, Is.False);
    }

    [Test]
    public async Task With_an_endless_lifetime_nothing_is_closed()
    {
        var clock = new ManualTime();
        await using var pool = new SessionPool(
            1, Timeout.InfiniteTimeSpan, (_, _) => new ValueTask<TransferSession>(new PoolSession()), _ => false, new RetryOptions(),
            NullLogger.Instance, clock);
        var session = (PoolSession)await BorrowAndReturnAsync(await pool.LeaseAsync(default));
        clock.Advance(TimeSpan.FromDays(400));
        Assert.That(session.Disposed, Is.False);
    }

    [Test]
    public async Task A_lease_is_given_back_once()
    {
        var test = new PoolHarness();
        var lease = await test.LeaseNewAsync();
        await lease.DisposeAsync();
        await lease.DisposeAsync();
        Assert.That(() => lease.Session, Throws.TypeOf<ObjectDisposedException>());
        Assert.That(test.Pool.Open, Is.EqualTo(1));

        await test.Lease();
        var second = test.Lease();
        Assert.That(second.IsCompleted, Is.False, "one session serves one caller");
    }

    [Test]
    public async Task An_opening_that_throws_at_once_or_is_broken_off_by_others_is_a_failure()
    {
        await using var throwing = Pool((_, _) => throw new InvalidOperationException("bug"));
        Assert.That(async () => await throwing.LeaseAsync(default), Throws.TypeOf<InvalidOperationException>());

        await using var cancelling = Pool((_, _) => throw new OperationCanceledException("somebody else's"));
        Assert.That(async () => await cancelling.LeaseAsync(default),
            Throws.TypeOf<TransferConnectionException>().With.Property("Error").EqualTo(TransferError.Lost));

        await using var odd = new SessionPool(1, PoolHarness.Lifetime, (_, _) => throw PoolHarness.Refusal,
            _ => throw new InvalidOperationException("bug"), new RetryOptions(), NullLogger.Instance, TimeProvider.System);
        Assert.That(async () => await odd.LeaseAsync(default), Throws.TypeOf<InvalidOperationException>());

        static SessionPool Pool(Func<Func<WorkKind?>, CancellationToken, ValueTask<TransferSession>> open) =>
            new(1, PoolHarness.Lifetime, open, _ => false, new RetryOptions(), NullLogger.Instance, TimeProvider.System);
    }

    private static async Task<TransferSession> BorrowAndReturnAsync(SessionLease lease)
    {
        var session = lease.Session;
        await lease.DisposeAsync();
        return session;
    }

    [Test]
    public async Task Sessions_prepared_ahead_go_to_those_who_come()
    {
        var harness = new PoolHarness(maxSessions: 3);
        harness.Pool.Prepare(5);
        await harness.AttemptsAsync(3);

        var leases = new[] { harness.Lease(), harness.Lease(), harness.Lease() };
        for (var i = 0; i < 3; i++) harness.Succeed(i);
        await Task.WhenAll(leases).WaitAsync(Eventually.Hang);

        Assert.That(harness.Attempts, Is.EqualTo(3), "nobody opened one more");
        foreach (var lease in leases) await (await lease).DisposeAsync();
        harness.Pool.Prepare(2);
        Assert.That(harness.Attempts, Is.EqualTo(3), "there are enough");
        await harness.Pool.DisposeAsync();
    }

    [Test]
    public async Task A_prepared_session_that_fails_is_nothing_to_who_waits_beside_another()
    {
        var harness = new PoolHarness();
        harness.Pool.Prepare(2);
        await harness.AttemptsAsync(2);
        var lease = harness.Lease();
        harness.Fail(0, new TransferConnectionException("gone"));
        await Task.Delay(20);
        harness.Succeed(1);

        await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        await harness.Pool.DisposeAsync();
    }

    [Test]
    public async Task Who_waits_for_prepared_sessions_that_all_fail_hears_why()
    {
        var harness = new PoolHarness();
        harness.Pool.Prepare(2);
        await harness.AttemptsAsync(2);
        var lease = harness.Lease();
        harness.Fail(0, new TransferConnectionException("gone"));
        harness.Fail(1, new TransferConnectionException("gone"));

        await Assert.CatchAsync<TransferConnectionException>(() => lease.WaitAsync(Eventually.Hang));
        await harness.Pool.DisposeAsync();
    }

    [Test]
    public async Task A_prepared_session_that_fails_costs_nobody_anything()
    {
        var harness = new PoolHarness();
        harness.Pool.Prepare(2);
        await harness.AttemptsAsync(2);
        harness.Fail(0, new TransferConnectionException("gone"));
        harness.Succeed(1);

        await (await harness.Lease().WaitAsync(Eventually.Hang)).DisposeAsync();
        await harness.Pool.DisposeAsync();
    }

    [TestCase(null)]
    [TestCase(421)]
    public async Task Credentials_that_are_refused_are_the_answer_to_who_came_while_they_were_tried(int? code)
    {
        var harness = new PoolHarness();
        harness.Pool.Prepare(2);
        await harness.AttemptsAsync(2);
        harness.Fail(0, new TransferException(TransferError.Auth, "wrong password") { ServerCode = code });
        await Eventually.IsAsync(() => harness.Pool.Expected, 1);
        var lease = harness.Lease();
        harness.Fail(1, new TransferException(TransferError.Auth, "wrong password") { ServerCode = code });
        await Assert.CatchAsync<TransferException>(() => lease.WaitAsync(Eventually.Hang));
        Assert.That(harness.Attempts, Is.EqualTo(2));
        await harness.Pool.DisposeAsync();
    }

    [TestCase(null)]
    [TestCase(421)]
    public async Task Credentials_that_are_refused_before_anybody_asks_are_not_tried_again_for_who_asks_next(int? code)
    {
        var harness = new PoolHarness();
        harness.Pool.Prepare(2);
        await harness.AttemptsAsync(2);
        for (var i = 0; i < 2; i++) harness.Fail(i, new TransferException(TransferError.Auth, "wrong password") { ServerCode = code });
        await Eventually.IsAsync(() => harness.Pool.Expected, 0);
        harness.Pool.Prepare(2);

        var error = await Assert.CatchAsync<TransferException>(() => harness.Lease().WaitAsync(Eventually.Hang));
        Assert.That((error!.Error, harness.Attempts), Is.EqualTo((TransferError.Auth, 2)),
            "whoever asks first hears of it, and nothing was tried again");
        var lease = await harness.LeaseNewAsync();
        Assert.That(harness.Attempts, Is.EqualTo(3), "who asks again has it tried again");
        await lease.DisposeAsync();
        await harness.Pool.DisposeAsync();
    }

    [TestCase(100, null, WorkKind.Download)]
    [TestCase(100, 30, WorkKind.Download)]
    [TestCase(100, 2, null)]
    [TestCase(20, null, null)]
    public async Task Sessions_that_are_opened_for_something_get_ready_for_it_where_that_takes_long(int milliseconds, int? roundTrip,
        WorkKind? ready)
    {
        var harness = new PoolHarness(maxSessions: 3);
        var first = harness.Lease();
        await harness.AttemptsAsync(1);
        harness.Pool.Prepare(3, WorkKind.Download);
        await harness.AttemptsAsync(3);
        if (roundTrip is { } known) harness.Pool.LearnRoundTrip(TimeSpan.FromMilliseconds(known));

        var leases = new[] { first, harness.Lease(), harness.Lease() };
        harness.Clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
        for (var i = 0; i < 3; i++) harness.Succeed(i);
        foreach (var lease in leases)
        {
            var lent = await lease.WaitAsync(Eventually.Hang);
            Assert.That(((PoolSession)lent.Session).Expected, Is.EqualTo(ready));
            await lent.DisposeAsync();
        }
        await harness.Pool.DisposeAsync();
    }

    [TestCase(100, null, false, true)]
    [TestCase(100, 50, false, true)]
    [TestCase(100, 2, true, false)]
    [TestCase(20, null, false, false)]
    [TestCase(20, 2, true, false)]
    public async Task A_server_is_far_where_openings_take_long_and_round_trips_are_why(int milliseconds, int? roundTrip, bool near,
        bool far)
    {
        var harness = new PoolHarness();
        var lease = harness.Lease();
        await harness.AttemptsAsync(1);
        if (roundTrip is { } known)
        {
            harness.Pool.LearnRoundTrip(TimeSpan.FromMilliseconds(known));
            harness.Pool.LearnRoundTrip(TimeSpan.FromMilliseconds(known + 200)); // A busy moment.
        }
        harness.Clock.Advance(TimeSpan.FromMilliseconds(milliseconds));
        harness.Succeed(0);
        await (await lease.WaitAsync(Eventually.Hang)).DisposeAsync();
        Assert.That((harness.Pool.IsNear, harness.Pool.IsFar), Is.EqualTo((near, far)));
        await harness.Pool.DisposeAsync();
    }

    [Test]
    public async Task Who_opens_a_session_for_itself_says_nothing_of_what_comes()
    {
        var harness = new PoolHarness();
        var lease = harness.Lease();
        await harness.AttemptsAsync(1);
        harness.Succeed(0);
        var lent = await lease.WaitAsync(Eventually.Hang);
        Assert.That(((PoolSession)lent.Session).Expected, Is.Null);
        await lent.DisposeAsync();
        await harness.Pool.DisposeAsync();
    }
}
