using Transfer.Engine.Cleaning;
using Transfer.Tests.Sessions;

namespace Transfer.Tests.Engine;

/// <summary>Deleting what lost sessions have left, where the session that is to do it hangs.</summary>
public sealed class LeftoversTests
{
    private static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(60);

    [Test]
    public async Task A_session_that_is_given_up_only_after_its_own_timeout_does_not_use_up_the_time_for_another()
    {
        var test = new PoolHarness();
        var leftovers = LeftoversOf(test);
        var hanging = new TaskCompletionSource();
        var deleted = new List<string>();
        leftovers.Add("/a");
        await test.AttemptsAsync(1);
        PoolSession? first = null;
        first = test.Succeed(0, new PoolSession
        {
            Delete = async (_, ct) =>
            {
                hanging.SetResult();
                await Task.Delay(IdleTimeout, test.Clock, ct);
                first!.Broken = true;
                throw new TransferConnectionException(TransferError.Timeout, "Nothing came.");
            },
        });
        await hanging.Task.Soon();
        await Eventually.TrueAsync(() => test.Clock.ArmedTimers > 1, "it waits, and so does whoever has asked it");
        test.Clock.Advance(IdleTimeout);
        await Eventually.TrueAsync(() =>
        {
            test.Clock.Advance(TimeSpan.FromMilliseconds(100));
            return test.Attempts == 2;
        }, "another session is opened");
        test.Succeed(1, new PoolSession { Delete = (paths, _) => { deleted.AddRange(paths); return Task.CompletedTask; } });
        await leftovers.DrainAsync(CancellationToken.None).Soon();
        Assert.That(deleted, Is.EqualTo(new[] { "/a" }));
        Assert.That(test.Logger.Messages, Has.None.Contains("may be left"));
    }

    [Test]
    public async Task Whoever_was_told_to_stop_waits_a_short_while_and_hears_what_is_left()
    {
        var test = new PoolHarness();
        var leftovers = LeftoversOf(test);
        leftovers.Add("/a");
        using var stop = new CancellationTokenSource();
        var drained = leftovers.DrainAsync(stop.Token);
        test.Clock.Advance(Leftovers.ShortPatience);
        Assert.That(drained.IsCompleted, Is.False, "nobody has told it to stop");
        await stop.CancelAsync();
        await Eventually.TrueAsync(() =>
        {
            test.Clock.Advance(TimeSpan.FromSeconds(1));
            return drained.IsCompleted;
        }, "it comes to an end");
        await drained;
        Assert.That(test.Logger.Messages, Has.Some.Contains("/a may be left"));
    }

    [Test]
    public async Task The_wait_after_a_stop_is_measured_by_the_log_ins_of_the_server()
    {
        var test = new PoolHarness();
        var opening = TimeSpan.FromMilliseconds(700);
        var leftovers = LeftoversOf(test);
        leftovers.Add("/a");
        await test.AttemptsAsync(1);
        test.Clock.Advance(opening);
        var hanging = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        test.Succeed(0, new PoolSession { Delete = async (_, ct) => { hanging.SetResult(); await Task.Delay(Timeout.Infinite, ct); } });
        await hanging.Task.Soon();
        using var stop = new CancellationTokenSource();
        var drained = leftovers.DrainAsync(stop.Token);
        var armed = test.Clock.ArmedTimers;
        await stop.CancelAsync();
        await Eventually.TrueAsync(() => test.Clock.ArmedTimers > armed, "the wait has begun");
        test.Clock.Advance(opening * 3.9);
        Assert.That(drained.IsCompleted, Is.False);
        test.Clock.Advance(opening * 0.2);
        await drained.Soon();
        Assert.That(test.Logger.Messages, Has.Some.Contains("/a may be left"));
    }

    [Test]
    public async Task A_client_that_is_closing_deletes_the_files_of_the_jobs_that_this_ends()
    {
        var test = new PoolHarness();
        using var closing = new CancellationTokenSource();
        var leftovers = LeftoversOf(test, closing.Token);
        var deleted = new List<string>();
        await closing.CancelAsync();
        leftovers.Add("/a");
        await test.AttemptsAsync(1);
        test.Succeed(0, new PoolSession { Delete = (paths, _) => { deleted.AddRange(paths); return Task.CompletedTask; } });
        await leftovers.DrainAsync(closing.Token).Soon();
        Assert.That(deleted, Is.EqualTo(new[] { "/a" }));
    }

    [Test]
    public async Task A_client_that_is_closing_gives_a_deletion_that_hangs_a_short_while()
    {
        var test = new PoolHarness();
        using var closing = new CancellationTokenSource();
        var leftovers = LeftoversOf(test, closing.Token);
        var hanging = new TaskCompletionSource();
        leftovers.Add("/a");
        await test.AttemptsAsync(1);
        test.Succeed(0, new PoolSession { Delete = async (_, ct) => { hanging.SetResult(); await Task.Delay(Timeout.Infinite, ct); } });
        await hanging.Task.Soon();
        await closing.CancelAsync();
        var drained = leftovers.DrainAsync(CancellationToken.None);
        Assert.That(drained.IsCompleted, Is.False, "the time for it is not over");
        test.Clock.Advance(Leftovers.ShortPatience);
        await drained.Soon();
        Assert.That(test.Logger.Messages, Has.Some.Contains("/a may be left"));
    }

    [Test]
    public async Task A_lost_session_names_the_files_that_it_had_made_for_itself()
    {
        var test = new PoolHarness();
        var left = new List<string>();
        test.Pool.LeftoverFound = left.Add;
        var lost = await test.LeaseNewAsync(new PoolSession { Own = ["/x"] });
        ((PoolSession)lost.Session).Broken = true;
        await lost.DisposeAsync();
        Assert.That(left, Is.EqualTo(new[] { "/x" }));
    }

    private static Leftovers LeftoversOf(PoolHarness test, CancellationToken closing = default) =>
        new(test.Pool, IdleTimeout, test.Logger, test.Clock, closing);
}
