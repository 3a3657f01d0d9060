using Transfer.Sessions;

namespace Transfer.Tests.Sessions;

[TestFixture]
public sealed class LogInGateTests
{
    private static readonly TransferConnectionException Refused = new(TransferError.Auth, "530 Login incorrect") { ServerCode = 530 };

    [Test]
    public async Task The_first_log_in_goes_alone_and_the_others_follow_together()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var first = logIns.Start(gate);
        var second = logIns.Start(gate);
        var third = logIns.Start(gate);
        await Eventually.TrueAsync(() => logIns.Tried >= 1, "the first log-in");
        Assert.That(logIns.Tried, Is.EqualTo(1));

        logIns.End(0);
        await first.WaitAsync(Eventually.Hang);
        await Eventually.TrueAsync(() => logIns.Tried == 3, "the others' log-ins");
        logIns.End(2);
        logIns.End(1);
        await Task.WhenAll(second, third).WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_refused_password_is_tried_once_for_all_who_wait()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var all = Enumerable.Range(0, 8).Select(_ => logIns.Start(gate)).ToArray();
        await Eventually.TrueAsync(() => logIns.Tried == 1, "the first log-in");

        logIns.End(0, Refused);
        foreach (var one in all)
        {
            var error = (await Assert.CatchAsync<TransferConnectionException>(() => one.WaitAsync(Eventually.Hang)))!;
            Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Auth, (int?)530)));
        }
        Assert.That(logIns.Tried, Is.EqualTo(1));
    }

    [Test]
    public async Task After_a_refusal_whoever_comes_later_tries_again()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var first = logIns.Start(gate);
        logIns.End(0, Refused);
        await Assert.CatchAsync<TransferConnectionException>(() => first.WaitAsync(Eventually.Hang));

        var second = logIns.Start(gate);
        logIns.End(1);
        await second.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Who_was_still_connecting_when_the_password_was_refused_does_not_try_it()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var arrival = LogInGate.Arrive();
        var first = logIns.Start(gate);
        logIns.End(0, Refused);
        await Assert.CatchAsync<TransferConnectionException>(() => first.WaitAsync(Eventually.Hang));

        var late = (await Assert.CatchAsync<TransferConnectionException>(() => logIns.Start(gate, arrival).WaitAsync(Eventually.Hang)))!;
        Assert.That((late.Error, logIns.Tried), Is.EqualTo((TransferError.Auth, 1)));
    }

    [Test]
    public async Task The_others_follow_as_soon_as_the_credentials_are_accepted()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var first = logIns.Start(gate);
        var second = logIns.Start(gate);
        await Eventually.TrueAsync(() => logIns.Tried == 1, "the first log-in");

        logIns.Accept(0);
        await Eventually.TrueAsync(() => logIns.Tried == 2, "the second log-in");
        Assert.That(first.IsCompleted, Is.False);

        // What goes wrong behind it is no reason to ask anybody to wait again.
        logIns.End(0, new TransferConnectionException(TransferError.Lost, "gone"));
        await Assert.CatchAsync<TransferConnectionException>(() => first.WaitAsync(Eventually.Hang));
        var third = logIns.Start(gate);
        await Eventually.TrueAsync(() => logIns.Tried == 3, "the third log-in");
        logIns.End(1);
        logIns.End(2);
        await Task.WhenAll(second, third).WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task A_log_in_that_was_lost_makes_room_for_the_next()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var first = logIns.Start(gate);
        var second = logIns.Start(gate);
        logIns.End(0, new TransferConnectionException("gone"));
        Assert.That((await Assert.CatchAsync<TransferConnectionException>(() => first.WaitAsync(Eventually.Hang)))!.Error,
            Is.EqualTo(TransferError.Lost));

        await Eventually.TrueAsync(() => logIns.Tried == 2, "the second log-in");
        logIns.End(1);
        await second.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Who_waits_can_be_cancelled()
    {
        var gate = new LogInGate();
        var logIns = new LogIns();
        var first = logIns.Start(gate);
        using var cancel = new CancellationTokenSource();
        var second = logIns.Start(gate, cancel.Token);
        await cancel.CancelAsync();
        Assert.That(async () => await second.WaitAsync(Eventually.Hang), Throws.InstanceOf<OperationCanceledException>());

        logIns.End(0);
        await first.WaitAsync(Eventually.Hang);
    }

    /// <summary>Log-ins that the test ends one by one.</summary>
    private sealed class LogIns
    {
        private readonly List<TaskCompletionSource<int>> _running = [];
        private readonly List<Action> _accepted = [];

        public int Tried
        {
            get { lock (_running) return _running.Count; }
        }

        public Task<int> Start(LogInGate gate, CancellationToken ct = default) => Start(gate, LogInGate.Arrive(), ct);

        public Task<int> Start(LogInGate gate, OpeningMark arrival, CancellationToken ct = default) =>
            gate.RunAsync(arrival, (accepted, _) => Next(accepted), ct).AsTask();

        public void End(int index, Exception? error = null)
        {
            TaskCompletionSource<int> one;
            lock (_running) one = _running[index];
            if (error is null) one.SetResult(index);
            else one.SetException(error);
        }

        /// <summary>The server has accepted the credentials; the log-in goes on.</summary>
        public void Accept(int index)
        {
            Action accepted;
            lock (_running) accepted = _accepted[index];
            accepted();
        }

        private ValueTask<int> Next(Action accepted)
        {
            var one = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_running)
            {
                _running.Add(one);
                _accepted.Add(accepted);
            }
            return new ValueTask<int>(one.Task);
        }
    }
}
