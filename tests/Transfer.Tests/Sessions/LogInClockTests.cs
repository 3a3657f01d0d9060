using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

/// <summary>The limit of a log-in as a whole.</summary>
public sealed class LogInClockTests
{
    private static readonly TimeSpan Minute = TimeSpan.FromMinutes(1);

    private readonly ManualTime _time = new();

    [Test]
    public async Task A_log_in_that_is_not_over_within_its_limit_fails_with_a_time_out()
    {
        var logIn = RunAsync(Minute, static clock => Task.Delay(Timeout.Infinite, clock.Token));
        _time.Advance(Minute - TimeSpan.FromSeconds(1));
        Assert.That(logIn.IsCompleted, Is.False);
        _time.Advance(TimeSpan.FromSeconds(2));
        var error = await Assert.ThrowsAsync<TransferConnectionException>(() => logIn.WaitAsync(Eventually.Hang));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(error.Message, Does.Contain("The log-in at host").And.Contain("60 s"));
    }

    [Test]
    public async Task A_connection_that_is_closed_by_the_limit_is_told_as_its_time_out()
    {
        var logIn = RunAsync(Minute, static async clock =>
        {
            await Task.Delay(Timeout.Infinite, clock.Token).ContinueWith(static _ => { }, TaskScheduler.Default);
            throw new TransferConnectionException(TransferError.Lost, "Canceled while commands were being sent.");
        });
        _time.Advance(Minute);
        Assert.That((await Assert.ThrowsAsync<TransferConnectionException>(() => logIn.WaitAsync(Eventually.Hang)))!.Error,
            Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Time_in_which_a_person_is_asked_does_not_count()
    {
        var spent = TimeSpan.Zero;
        await RunAsync(Minute, clock =>
        {
            _time.Advance(TimeSpan.FromSeconds(40));
            using (clock.Pause())
            {
                using (clock.Pause()) _time.Advance(TimeSpan.FromHours(1));
                _time.Advance(TimeSpan.FromHours(1));
            }
            _time.Advance(TimeSpan.FromSeconds(10));
            spent = clock.Spent;
            return Task.Delay(0, clock.Token);
        });
        Assert.That(spent, Is.EqualTo(TimeSpan.FromSeconds(50)));
    }

    [Test]
    public async Task Behind_a_pause_there_is_what_was_left_of_the_limit()
    {
        var logIn = RunAsync(Minute, async clock =>
        {
            _time.Advance(TimeSpan.FromSeconds(40));
            using (clock.Pause()) _time.Advance(TimeSpan.FromHours(1));
            await Task.Delay(Timeout.Infinite, clock.Token);
        });
        _time.Advance(TimeSpan.FromSeconds(19));
        Assert.That(logIn.IsCompleted, Is.False);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.That((await Assert.ThrowsAsync<TransferConnectionException>(() => logIn.WaitAsync(Eventually.Hang)))!.Error,
            Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task What_was_spent_before_counts()
    {
        var logIn = LogInClock.RunAsync("It", Minute, _time, ForeverAsync, CancellationToken.None,
            spent: TimeSpan.FromSeconds(59)).AsTask();
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.That((await Assert.ThrowsAsync<TransferConnectionException>(() => logIn.WaitAsync(Eventually.Hang)))!.Error,
            Is.EqualTo(TransferError.Timeout));
    }

    [TestCase(0)]
    [TestCase(-1)]
    public async Task No_limit_is_none(int milliseconds)
    {
        using var stop = new CancellationTokenSource();
        var logIn = LogInClock.RunAsync("It", TimeSpan.FromMilliseconds(milliseconds), _time, ForeverAsync, stop.Token).AsTask();
        _time.Advance(TimeSpan.FromDays(30));
        Assert.That(logIn.IsCompleted, Is.False);
        await stop.CancelAsync();
        Assert.That((await Assert.CatchAsync<OperationCanceledException>(() => logIn.WaitAsync(Eventually.Hang)))!.CancellationToken,
            Is.EqualTo(stop.Token));
    }

    private static async ValueTask<bool> ForeverAsync(LogInClock clock)
    {
        await Task.Delay(Timeout.Infinite, clock.Token);
        return true;
    }

    private Task RunAsync(TimeSpan limit, Func<LogInClock, Task> logIn) =>
        LogInClock.RunAsync("The log-in at host", limit, _time, async clock =>
    {
        await logIn(clock);
        return true;
    }, CancellationToken.None).AsTask();
}
