using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using Transfer.Dialing;

namespace Transfer.Tests.Dialing;

public sealed class AddressRaceTests
{
    private static readonly IPAddress[] Three = [IPAddress.Parse("192.0.2.1"), IPAddress.Parse("2001:db8::1"),
        IPAddress.Parse("192.0.2.2")];
    private static readonly TimeSpan Delay = TimeSpan.FromMilliseconds(250);

    private readonly ConcurrentDictionary<IPAddress, Attempt> _attempts = new();
    private ManualTime _clock = null!;
    private AddressRace<Connection> _race = null!;

    [SetUp]
    public void SetUp()
    {
        _attempts.Clear();
        _clock = new ManualTime();
        _race = new AddressRace<Connection>(ConnectAsync, Delay, _clock);
    }

    [Test]
    public async Task The_first_address_that_answers_in_time_is_the_only_one_tried()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        _clock.Advance(Delay - TimeSpan.FromTicks(1));
        var connection = _attempts[Three[0]].Succeed();

        Assert.That(await race, Is.SameAs(connection));
        Assert.That(_attempts, Has.Count.EqualTo(1));
        Assert.That(connection.Disposed.Task.IsCompleted, Is.False);
        await Eventually.TrueAsync(() => _clock.ArmedTimers == 0, "the pause is given up");
    }

    [Test]
    public async Task The_next_address_is_tried_beside_the_first_after_the_delay()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        Assert.That(_attempts.Keys, Is.EquivalentTo(Three[..1]));

        _clock.Advance(Delay);
        await StartedAsync(Three[1]);
        Assert.That(_attempts, Has.Count.EqualTo(2));

        await Eventually.TrueAsync(() => _clock.ArmedTimers == 1, "the next pause begins");
        _clock.Advance(Delay);
        await StartedAsync(Three[2]);

        var connection = _attempts[Three[1]].Succeed();
        Assert.That(await race, Is.SameAs(connection));
    }

    [Test]
    public async Task The_losers_are_cancelled_and_one_that_connects_all_the_same_is_closed()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        _clock.Advance(Delay);
        await StartedAsync(Three[1]);

        var winner = _attempts[Three[1]].Succeed();
        Assert.That(await race, Is.SameAs(winner));
        Assert.That(_attempts[Three[0]].Token.IsCancellationRequested);

        var late = _attempts[Three[0]].Succeed();
        await late.Disposed.Task.WaitAsync(Eventually.Hang);
        Assert.That(winner.Disposed.Task.IsCompleted, Is.False);
    }

    [Test]
    public async Task After_a_failure_the_next_address_is_tried_at_once()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        _attempts[Three[0]].Fail(SocketError.ConnectionRefused);
        await StartedAsync(Three[1]);

        var connection = _attempts[Three[1]].Succeed();
        Assert.That(await race, Is.SameAs(connection));
        Assert.That(_race.Failures.Single().Address, Is.EqualTo(Three[0]));
    }

    [Test]
    public async Task The_pause_after_a_failure_is_a_whole_one()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        _clock.Advance(Delay - TimeSpan.FromTicks(1));
        _attempts[Three[0]].Fail(SocketError.ConnectionRefused);
        await StartedAsync(Three[1]);
        await Eventually.TrueAsync(() => _clock.ArmedTimers == 2, "the second pause begins");

        _clock.Advance(TimeSpan.FromTicks(1)); // the end of the first one, which no longer counts
        await Task.Delay(20);
        Assert.That(_attempts, Has.Count.EqualTo(2));

        _clock.Advance(Delay);
        await StartedAsync(Three[2]);
        _attempts[Three[2]].Succeed();
        await race;
    }

    [Test]
    public async Task When_all_fail_each_has_its_reason()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        foreach (var (address, error) in Three.Zip([SocketError.ConnectionRefused, SocketError.NetworkUnreachable, SocketError.TimedOut]))
        {
            await StartedAsync(address);
            _attempts[address].Fail(error);
        }

        Assert.That(await race, Is.Null);
        Assert.That(_race.Failures.Select(f => f.Address), Is.EqualTo(Three));
        Assert.That(_race.Failures.Select(f => f.Error.SocketErrorCode),
            Is.EqualTo(new[] { SocketError.ConnectionRefused, SocketError.NetworkUnreachable, SocketError.TimedOut }));
    }

    [Test]
    public async Task A_failure_while_others_still_try_is_not_the_end()
    {
        var race = _race.RunAsync(Three[..2], CancellationToken.None);
        _clock.Advance(Delay);
        await StartedAsync(Three[1]);
        _attempts[Three[1]].Fail(SocketError.NetworkUnreachable);
        await Task.Delay(20);
        Assert.That(race.IsCompleted, Is.False);

        var connection = _attempts[Three[0]].Succeed();
        Assert.That(await race, Is.SameAs(connection));
    }

    [Test]
    public async Task Cancellation_ends_all_attempts_even_ones_that_do_not_listen()
    {
        using var stop = new CancellationTokenSource();
        var race = _race.RunAsync(Three, stop.Token);
        _clock.Advance(Delay);
        await StartedAsync(Three[1]);
        await stop.CancelAsync();

        Assert.That(async () => await race.WaitAsync(Eventually.Hang), Throws.InstanceOf<OperationCanceledException>());
        foreach (var attempt in _attempts.Values)
        {
            Assert.That(attempt.Token.IsCancellationRequested);
            await attempt.Succeed().Disposed.Task.WaitAsync(Eventually.Hang);
        }
        Assert.That(_clock.ArmedTimers, Is.Zero);
    }

    [Test]
    public async Task An_error_that_is_not_the_networks_ends_the_race()
    {
        var race = _race.RunAsync(Three, CancellationToken.None);
        _clock.Advance(Delay);
        await StartedAsync(Three[1]);
        _attempts[Three[1]].Fail(new TransferConnectionException(TransferError.Unsupported, "no"));

        Assert.That(async () => await race.WaitAsync(Eventually.Hang),
            Throws.TypeOf<TransferConnectionException>().With.Property("Error").EqualTo(TransferError.Unsupported));
        Assert.That(_attempts[Three[0]].Token.IsCancellationRequested);
        Assert.That(_attempts.ContainsKey(Three[2]), Is.False);
    }

    [Test]
    public async Task Without_addresses_there_is_no_race() =>
        Assert.That(await _race.RunAsync([], CancellationToken.None), Is.Null);

    // Fakes do not listen to their token: what the race promises, it promises without their help.
    private async ValueTask<Connection> ConnectAsync(IPAddress address, CancellationToken ct)
    {
        var attempt = new Attempt(ct);
        Assert.That(_attempts.TryAdd(address, attempt), $"{address} is tried once");
        return await attempt.Result.Task;
    }

    private Task StartedAsync(IPAddress address) => Eventually.TrueAsync(() => _attempts.ContainsKey(address), $"{address} is tried");

    private sealed class Attempt(CancellationToken token)
    {
        public TaskCompletionSource<Connection> Result { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public CancellationToken Token => token;

        public Connection Succeed()
        {
            var connection = new Connection();
            Result.SetResult(connection);
            return connection;
        }

        public void Fail(SocketError error) => Fail(new SocketException((int)error));

        public void Fail(Exception error) => Result.SetException(error);
    }

    private sealed class Connection : IDisposable
    {
        public TaskCompletionSource Disposed { get; } = new();

        public void Dispose() => Disposed.SetResult();
    }
}
