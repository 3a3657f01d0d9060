using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Sftp;
using Transfer.Sftp.Protocol;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Settings;

namespace Transfer.Tests.Sftp.Protocol;

public sealed class ConnectorTests
{
    [Test]
    public async Task Sessions_share_a_connection_up_to_the_options_and_the_last_one_closes_it()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions { Connections = 1, SessionsPerConnection = 3 });
        var sessions = await Task.WhenAll(Enumerable.Range(0, 7).Select(_ => connector.OpenAsync(CancellationToken.None).AsTask())).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EquivalentTo(new[] { 3, 3, 1 }));
        await Task.WhenAll(sessions.Select(session => session.DisposeAsync().AsTask()));
        Assert.That(host.Connections.Select(connection => connection.Usable), Is.All.False);
    }

    [Test]
    public async Task Sessions_are_spread_over_a_few_connections()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions { Connections = 3 });
        for (var i = 0; i < 7; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 3, 2, 2 }));
    }

    [Test]
    public async Task The_first_eight_sessions_share_four_connections_and_those_beyond_have_one_each()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions { Connections = 6 });
        for (var i = 0; i < 11; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened),
            Is.EqualTo(new[] { 2, 2, 2, 2, 1, 2 }).Or.EqualTo(new[] { 2, 2, 2, 2, 2, 1 }));
    }

    [Test]
    public async Task Sessions_share_the_connections_that_the_work_pays_for_and_more_are_opened_for_more_work()
    {
        var host = new FakeHost { Paying = 2 };
        var connector = host.Connector(new SftpOptions());
        for (var i = 0; i < 5; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 3, 2 }));
        host.Paying = 3;
        for (var i = 0; i < 2; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 3, 3, 1 }).Or.EqualTo(new[] { 3, 2, 2 }));
    }

    [Test]
    public async Task A_refused_log_in_beside_a_connection_is_not_repeated()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions());
        await connector.OpenAsync(CancellationToken.None).Soon();
        host.Refusal = new TransferConnectionException(TransferError.Auth, "Too many log-ins.");
        for (var i = 0; i < 4; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That((host.Connections.Single().Opened, host.Refused), Is.EqualTo((5, 1)));
    }

    [Test]
    public async Task A_server_that_takes_fewer_connections_gets_more_sessions_on_each()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions { Connections = 3 });
        await connector.OpenAsync(CancellationToken.None).Soon();
        host.Refusal = new TransferConnectionException(TransferError.Lost, "Dropped.");
        for (var i = 0; i < 4; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 5 }));
    }

    [TestCase(2, true)]
    [TestCase(3, false)]
    public async Task A_first_connection_that_is_one_too_many_for_now_is_tried_again_as_the_options_say(int drops, bool opens)
    {
        var host = new FakeHost { Drops = drops };
        var retry = new RetryOptions { Attempts = 3, FirstDelay = TimeSpan.FromMilliseconds(1) };
        var opening = host.Connector(new SftpOptions { Retry = retry }).OpenAsync(CancellationToken.None).AsTask();
        if (opens) await opening.Soon();
        else Assert.That((await opening.Failure<TransferConnectionException>()).Message, Does.Contain("MaxStartups"));
        Assert.That(host.Drops, Is.EqualTo(opens ? -1 : 0));
    }

    [Test]
    public async Task A_server_that_takes_fewer_channels_gets_more_connections()
    {
        var host = new FakeHost { MostChannels = 2 };
        var connector = host.Connector(new SftpOptions { Connections = 1 });
        for (var i = 0; i < 5; i++) await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 2, 2, 1 }));
    }

    [Test]
    public async Task A_server_that_mixes_up_its_channels_gets_a_connection_a_session()
    {
        var host = new FakeHost { Software = "SSH-2.0-mod_sftp" };
        var connector = host.Connector(new SftpOptions { Connections = 2 });
        var sessions = await Task.WhenAll(Enumerable.Range(0, 5).Select(_ => connector.OpenAsync(CancellationToken.None).AsTask())).Soon();
        await sessions[0].DisposeAsync();
        await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 1, 1, 1, 1, 1, 1 }));
        Assert.That(host.Connections.Count(connection => connection.Usable), Is.EqualTo(5));
    }

    [Test]
    public async Task A_connection_that_is_lost_is_not_joined()
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions());
        await connector.OpenAsync(CancellationToken.None).Soon();
        await host.Connections[0].DisposeAsync();
        await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections, Has.Count.EqualTo(2));
    }

    [TestCase(1, new[] { 7 })]
    [TestCase(100, new[] { 2, 2, 2, 1 })]
    public async Task Commands_share_a_connection_and_on_a_long_path_four(int roundTrip, int[] expected)
    {
        var host = new FakeHost { RoundTrip = TimeSpan.FromMilliseconds(roundTrip) };
        var connector = host.Connector(new SftpOptions());
        await connector.OpenAsync(CancellationToken.None).Soon();
        // How long the path is shows by the first.
        await (await connector.OpenCommandAsync("probe", CancellationToken.None).Soon()).DisposeAsync();
        for (var i = 0; i < 6; i++) await connector.OpenCommandAsync("command", CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Commands), Is.EqualTo(expected));
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(expected.Select((_, i) => i == 0 ? 1 : 0)));
    }

    [Test]
    public async Task A_commands_connection_stays_for_the_next_as_long_as_anything_is_open()
    {
        var host = new FakeHost { RoundTrip = TimeSpan.FromMilliseconds(100) };
        var connector = host.Connector(new SftpOptions());
        var session = await connector.OpenAsync(CancellationToken.None).Soon();
        await (await connector.OpenCommandAsync("probe", CancellationToken.None).Soon()).DisposeAsync();
        for (var turn = 0; turn < 3; turn++)
        {
            var commands = new List<SshChannel>();
            for (var i = 0; i < 4; i++) commands.Add(await connector.OpenCommandAsync("command", CancellationToken.None).Soon());
            foreach (var command in commands) await command.DisposeAsync();
        }
        Assert.That(host.Connections.Select(connection => (connection.Commands, connection.Usable)),
            Is.EqualTo(new[] { (4, true), (3, true), (3, true), (3, true) }));

        await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 1, 1, 0, 0 }),
            "sessions take it first too");
        await host.Connections[1].DisposeAsync();
        for (var i = 0; i < 4; i++) await connector.OpenCommandAsync("command", CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Commands), Is.EqualTo(new[] { 5, 3, 4, 4, 1 }),
            "one that is lost is not joined");
        await session.DisposeAsync();
        Assert.That(host.Connections.Count(connection => connection.Usable), Is.EqualTo(4));
    }

    [Test]
    public async Task The_last_that_is_open_closes_all_connections()
    {
        var host = new FakeHost { RoundTrip = TimeSpan.FromMilliseconds(100) };
        var connector = host.Connector(new SftpOptions());
        var session = await connector.OpenAsync(CancellationToken.None).Soon();
        await (await connector.OpenCommandAsync("probe", CancellationToken.None).Soon()).DisposeAsync();
        var (one, two) = (await connector.OpenCommandAsync("command", CancellationToken.None).Soon(),
            await connector.OpenCommandAsync("command", CancellationToken.None).Soon());
        await two.DisposeAsync();
        await session.DisposeAsync();
        Assert.That(host.Connections.Select(connection => connection.Usable), Is.EqualTo(new[] { true, true }));
        await one.DisposeAsync();
        Assert.That(host.Connections.Select(connection => connection.Usable), Is.All.False);
    }

    [Test]
    public async Task A_server_that_takes_one_connection_gets_all_commands_on_that()
    {
        var host = new FakeHost { RoundTrip = TimeSpan.FromMilliseconds(100) };
        var connector = host.Connector(new SftpOptions());
        await connector.OpenAsync(CancellationToken.None).Soon();
        await (await connector.OpenCommandAsync("probe", CancellationToken.None).Soon()).DisposeAsync();
        host.Refusal = new TransferConnectionException(TransferError.Lost, "Dropped.");
        for (var i = 0; i < 4; i++) await connector.OpenCommandAsync("command", CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Commands), Is.EqualTo(new[] { 5 }));
    }

    [Test]
    public async Task A_command_that_is_refused_beside_sessions_opened_ahead_has_their_room()
    {
        var host = new FakeHost { MostConnections = 3, MostChannels = 1 };
        var options = new SftpOptions { Retry = new RetryOptions { FirstDelay = TimeSpan.FromMilliseconds(1) } };
        await using var client = new SftpTransferClient(new Uri("sftp://user@host/"), options, host);
        await client.ConnectAsync().Soon();
        var pool = client.Engine.Pool;
        await Eventually.TrueAsync(() =>
        {
            pool.Prepare(3);
            return pool.Open == 3;
        }, "three sessions are open");
        await using var one = await client.StartAsync("one").Soon();
        await using var two = await client.StartAsync("two").Soon();
        Assert.That((pool.Open, host.Connections.Count(connection => connection.Usable)), Is.EqualTo((1, 3)));
        var third = await client.StartAsync("three").AsTask().Failure<TransferException>();
        Assert.That(third.Message, Does.Contain("MaxStartups"));
        Assert.That(pool.Open, Is.EqualTo(1), "the last session stays");
    }

    [Test]
    public async Task Commands_that_find_room_close_no_session()
    {
        var host = new FakeHost { MostConnections = 4, RoundTrip = TimeSpan.FromMilliseconds(100) };
        await using var client = new SftpTransferClient(new Uri("sftp://user@host/"), new SftpOptions(), host);
        await client.ConnectAsync().Soon();
        var pool = client.Engine.Pool;
        await Eventually.TrueAsync(() =>
        {
            pool.Prepare(4);
            return pool.Open == 4;
        }, "four sessions are open");
        for (var i = 0; i < 8; i++) await client.StartAsync("command").Soon();
        Assert.That(pool.Open, Is.EqualTo(4));
    }

    [Test]
    public async Task A_refused_log_in_is_everybodys_error_and_no_limit()
    {
        var host = new FakeHost { Refusal = new TransferConnectionException(TransferError.Auth, "No.") };
        var connector = host.Connector(new SftpOptions());
        var (first, second) = (connector.OpenAsync(CancellationToken.None).AsTask(), connector.OpenAsync(CancellationToken.None).AsTask());
        Assert.That(await first.Failure<TransferConnectionException>(), Is.SameAs(host.Refusal));
        Assert.That(await second.Failure<TransferConnectionException>(), Is.SameAs(host.Refusal));
        Assert.That(connector.IsLimit(host.Refusal), Is.False);
    }

    [TestCase(TransferError.Lost)]
    [TestCase(TransferError.Denied, Description = "By a jump host.")]
    public async Task A_connection_dropped_beside_others_is_a_limit_and_alone_it_is_not(TransferError error)
    {
        var host = new FakeHost();
        var connector = host.Connector(new SftpOptions());
        var dropped = new TransferConnectionException(error, "Dropped.");
        Assert.That(connector.IsLimit(dropped), Is.False);
        await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(connector.IsLimit(dropped));
    }

    [Test]
    public async Task A_log_in_that_counts_once_is_not_repeated_while_its_connection_lives()
    {
        var host = new FakeHost { HasOneTimeLogIn = true, RoundTrip = TimeSpan.FromMilliseconds(100) };
        var connector = host.Connector(new SftpOptions { SessionsPerConnection = 10 });
        var sessions = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => connector.OpenAsync(CancellationToken.None).AsTask())).Soon();
        await connector.OpenCommandAsync("one", CancellationToken.None).Soon();
        await connector.OpenCommandAsync("two", CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => (connection.Opened, connection.Commands)), Is.EqualTo(new[] { (8, 2) }));

        // Full: the pool makes do with the sessions that there are.
        var full = await connector.OpenAsync(CancellationToken.None).AsTask().Failure<TransferException>();
        Assert.That(connector.IsLimit(full));

        await host.Connections[0].DisposeAsync();
        await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => connector.OpenAsync(CancellationToken.None).AsTask())).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 8, 3 }));
        foreach (var session in sessions) await session.DisposeAsync();
    }

    [Test]
    public async Task One_waiters_cancellation_leaves_the_connection_to_the_others()
    {
        var host = new FakeHost { Gate = new TaskCompletionSource() };
        var connector = host.Connector(new SftpOptions());
        using var cancel = new CancellationTokenSource();
        var first = connector.OpenAsync(cancel.Token).AsTask();
        var second = connector.OpenAsync(CancellationToken.None).AsTask();
        await cancel.CancelAsync();
        await first.Failure<OperationCanceledException>();
        host.Gate.SetResult();
        await using var session = await second.Soon();
        Assert.That(session.Usable);
    }

    [Test]
    public async Task A_server_that_ends_when_it_is_asked_before_its_version_is_asked_one_step_at_a_time_from_then_on()
    {
        var host = new FakeHost { Careful = true };
        var connector = host.Connector(new SftpOptions());
        await using var session = await connector.OpenAsync(CancellationToken.None).Soon();
        await using var second = await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Servers[0].Requests[0], Does.StartWith(SftpExtension.Limits));
        Assert.That(host.Servers[1..].Select(server => server.Requests.FirstOrDefault()), Is.EqualTo(new[] { "RealPath .", "RealPath ." }));
        Assert.That(host.Servers[1..].SelectMany(server => server.Requests), Has.None.Contain(SftpExtension.Limits));
    }

    [Test]
    public async Task A_session_that_came_with_the_log_in_is_the_first_ones()
    {
        var host = new FakeHost { TakesEarly = true };
        var connector = host.Connector(new SftpOptions { Connections = 1 });
        var sessions = await Task.WhenAll(Enumerable.Range(0, 3).Select(_ => connector.OpenAsync(CancellationToken.None).AsTask())).Soon();
        Assert.That(host.Connections.Single().Opened, Is.EqualTo(2));
        Assert.That(host.Servers, Has.Count.EqualTo(3));
        await Task.WhenAll(sessions.Select(session => session.DisposeAsync().AsTask()));
        Assert.That(host.Connections.Single().Usable, Is.False);
    }

    [Test]
    public async Task A_command_asks_for_no_session()
    {
        var host = new FakeHost { TakesEarly = true };
        await host.Connector(new SftpOptions()).OpenCommandAsync("true", CancellationToken.None).Soon();
        Assert.That(host.Servers, Is.Empty);
    }

    [Test]
    public async Task Where_the_log_in_takes_more_the_session_is_opened_after_it()
    {
        var host = new FakeHost { TakesEarly = true, EarlyEnd = new TransferConnectionException(TransferError.Lost, "Not enough.") };
        var connector = host.Connector(new SftpOptions());
        await using var session = await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(session.Usable);
        Assert.That(host.Connections.Single().Opened, Is.EqualTo(1));
        await using var second = await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Servers.Count(server => server.Channel.Disposed), Is.EqualTo(1), "it is asked for no other so");
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_connection_that_does_not_survive_it_is_made_again_one_step_at_a_time(bool inLogIn)
    {
        var host = new FakeHost
        {
            TakesEarly = true,
            EarlyEnd = new TransferConnectionException(TransferError.Protocol, "What is that?"),
            EarlyEndIs = inLogIn ? "refusal" : "death"
        };
        var connector = host.Connector(new SftpOptions { Connections = 2 });
        await using var session = await connector.OpenAsync(CancellationToken.None).Soon();
        await using var second = await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Servers.Count(server => server.Channel.Disposed), Is.EqualTo(1), "the early one's");
        Assert.That(host.Connections.Where(connection => connection.Usable).Select(connection => connection.Opened),
            Is.EqualTo(new[] { 1, 1 }));
    }

    [Test]
    public async Task A_connection_that_is_lost_where_another_was_opened_so_is_not_lost_by_that()
    {
        var host = new FakeHost { TakesEarly = true, EarlyEndIs = "refusal" };
        var connector = host.Connector(new SftpOptions { SessionsPerConnection = 1 });
        await using var session = await connector.OpenAsync(CancellationToken.None).Soon();
        host.EarlyEnd = new TransferConnectionException(TransferError.Lost, "The network.");
        Assert.That(await connector.OpenAsync(CancellationToken.None).AsTask().Failure<TransferConnectionException>(),
            Is.SameAs(host.EarlyEnd));
        host.EarlyEnd = null;
        await using var third = await connector.OpenAsync(CancellationToken.None).Soon();
        Assert.That(host.Connections.Select(connection => connection.Opened), Is.EqualTo(new[] { 0, 0 }), "both came with the log-in");
    }

    [Test]
    public async Task Who_gives_up_while_it_opens_leaves_no_connection()
    {
        var host = new FakeHost { TakesEarly = true, Silent = true };
        var connector = host.Connector(new SftpOptions());
        using var cancel = new CancellationTokenSource();
        var opening = connector.OpenAsync(cancel.Token).AsTask();
        while (host.Connections.Count == 0) await Task.Delay(5).Soon();
        await cancel.CancelAsync();
        await opening.Failure<OperationCanceledException>();
        Assert.That(host.Connections.Single().Usable, Is.False);
        Assert.That(host.Servers.Single().Channel.Disposed);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_server_that_never_opens_the_session_does_not_keep_it(bool isEarly)
    {
        var clock = new ManualTime();
        var host = new FakeHost { TakesEarly = isEarly, Silent = true, LogInTime = TimeSpan.FromSeconds(50) };
        var connector =
            host.Connector(new SftpOptions { TimeProvider = clock, IdleTimeout = TimeSpan.Zero, LogInTimeout = TimeSpan.FromSeconds(60) });
        var opening = connector.OpenAsync(CancellationToken.None).AsTask();
        while (host.Servers.Count == 0) await Task.Delay(5).Soon();
        Assert.That(opening.IsCompleted, Is.False);

        // The log-in took the rest.
        while (!opening.IsCompleted && clock.Elapsed < TimeSpan.FromSeconds(20))
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(5);
        }
        Assert.That((await opening.Failure<TransferConnectionException>()).Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(host.Connections.Single().Usable, Is.False);
    }

    private sealed class FakeHost : ISshConnector
    {
        public TimeSpan LogInTime { get; init; }

        public int MostChannels { get; init; } = int.MaxValue;

        public int MostConnections { get; init; } = int.MaxValue;

        public bool HasOneTimeLogIn { get; init; }

        public string Software { get; init; } = "fake";

        public TimeSpan RoundTrip { get; init; }

        public TransferException? Refusal { get; set; }

        /// <summary>How many connections are dropped before their version, as MaxStartups does.</summary>
        public int Drops { get; set; }

        public TaskCompletionSource? Gate { get; init; }

        /// <summary>Its servers do not take limits@ in silence.</summary>
        public bool Careful { get; init; }

        /// <summary>It takes a session with the log-in.</summary>
        public bool TakesEarly { get; init; }

        /// <summary>What the early session ends with; null: it opens.</summary>
        public TransferConnectionException? EarlyEnd { get; set; }

        /// <summary>And its connection: "refusal" in the log-in, "death" after it; null: it stays.</summary>
        public string? EarlyEndIs { get; init; }

        /// <summary>Its servers answer nothing.</summary>
        public bool Silent { get; init; }

        public List<FakeConnection> Connections { get; } = [];

        public List<FakeServer> Servers { get; } = [];

        /// <summary>The number of log-ins that were refused.</summary>
        public int Refused { get; private set; }

        /// <summary>The number of connections that the work pays for.</summary>
        public int Paying { get; set; } = int.MaxValue;

        public SftpConnector Connector(SftpOptions options) => new(this, options, new SegmentPool(), () => Paying, NullLogger.Instance);

        public async ValueTask<ISshSessions> ConnectAsync(EarlyUse? early, CancellationToken ct)
        {
            if (Gate is not null) await Gate.Task.WaitAsync(ct);
            if (Refusal is not null)
            {
                Refused++;
                throw Refusal;
            }
            if (Drops-- > 0) throw new TransferConnectionException(TransferError.Lost, "Exceeded MaxStartups") { ServerCode = 12 };
            lock (Connections)
            {
                if (HasOneTimeLogIn && Connections.Exists(other => other.Usable))
                    throw new Transfer.Sftp.Ssh.Auth.LogInHeldException("host");
                if (HasOneTimeLogIn)
                {
                    Connections.Add(new FakeConnection(this));
                    return Connections[^1];
                }
            }

            var connection = new FakeConnection(this);
            if (TakesEarly && early is not null)
            {
                var server = new FakeServer();
                lock (Servers) Servers.Add(server);
                early.Begin(Silent || EarlyEnd is not null ? server.Channel : server.Start().Channel, Software);
                if (EarlyEnd is not null) await server.Channel.ServerOutput.CompleteAsync(EarlyEnd);
                if (EarlyEnd is not null && EarlyEndIs == "refusal") throw EarlyEnd;
                if (EarlyEnd is not null && EarlyEndIs == "death") await connection.DisposeAsync();
            }
            lock (Connections)
            {
                if (Connections.Count(other => other.Usable) >= MostConnections)
                    throw new TransferConnectionException(TransferError.Lost, "Exceeded MaxStartups") { ServerCode = 12 };
                Connections.Add(connection);
            }
            return connection;
        }
    }

    private sealed class FakeConnection(FakeHost host) : ISshSessions
    {
        public int Opened { get; private set; }

        public int Commands { get; private set; }

        public string? Server => host.Software;

        public bool HasOneTimeLogIn => host.HasOneTimeLogIn;

        public TimeSpan LogInTime => host.LogInTime;

        public bool Usable { get; private set; } = true;

        public ValueTask<SshChannel> OpenSubsystemAsync(string name, CancellationToken ct)
        {
            lock (host.Servers)
            {
                if (!Usable) throw new TransferConnectionException(TransferError.Lost, "It is lost.");
                if (Opened + Commands >= host.MostChannels) throw new TransferException(TransferError.Denied, "No more channels.");
                Opened++;
                var server = new FakeServer();
                if (host.Careful)
                    server.Instead = request => request.Extension == SftpExtension.Limits ? throw new EndOfStreamException() : null;
                host.Servers.Add(server);
                return new(host.Silent ? server.Channel : server.Start().Channel);
            }
        }

        public ValueTask<SshChannel> OpenCommandAsync(string command, CancellationToken ct)
        {
            if (Opened + Commands >= host.MostChannels) throw new TransferException(TransferError.Denied, "No more channels.");
            Commands++;
            return new(new PipeChannel { RoundTrip = host.RoundTrip });
        }

        public ValueTask DisposeAsync()
        {
            Usable = false;
            return default;
        }
    }
}
