using System.Text;
using Transfer.Sftp;
using Transfer.Sftp.Routes;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Ftp.Protocol;
using Transfer.Tests.Sftp.Ssh;

namespace Transfer.Tests.Sftp.Routes;

/// <summary>Connections through jump hosts, RFC 4254 section 7.2.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class RouteTests : IDisposable
{
    private const string Secret = "opensesame";
    private static readonly string HostKey = $"ssh-ed25519 {Convert.ToBase64String(ScriptedServer.PublicKeyBlob)}";

    private readonly LogRecorder _log = new();
    private readonly TempFolder _folder = new();
    private readonly ScriptedServer _target = new();
    private readonly ScriptedHop _hop;
    private SshRoute? _route;

    public RouteTests() => _hop = new ScriptedHop { Reach = (_, _) => _target };

    public void Dispose()
    {
        _route?.Dispose();
        _hop.Dispose();
        _target.Dispose();
        _folder.Dispose();
        Assert.That(string.Concat(_log.Lines), Does.Not.Contain(Secret));
    }

    [Test]
    public async Task A_connection_runs_through_the_hop_which_never_sees_the_password()
    {
        var connecting = ConnectAsync();
        var toHop = await _hop.Script.StartLogInAsync();
        await _hop.Script.SendAsync([MessageNumber.AuthSuccess]);
        var carrying = _hop.CarryAsync();
        var toTarget = await _target.StartLogInAsync();
        await _target.SendAsync([MessageNumber.AuthSuccess]);
        var sessions = await connecting.Soon();
        using (Assert.EnterMultipleScope())
        {
            Assert.That(Encoding.UTF8.GetString(toHop),
                Does.Contain(Environment.UserName).And.Contain("none").And.Not.Contain(Secret).And.Not.Contain("alice"));
            Assert.That(Encoding.UTF8.GetString(toTarget), Does.Contain("alice").And.Contain(Secret));
            Assert.That(_hop.Asked, Is.EqualTo(new[] { "target.example:2222" }));
        }

        // Both directions, more than a packet of either connection holds.
        var (channel, id) = await OpenAsync(sessions, window: 1 << 30);
        var bytes = new byte[300_000];
        new Random(1).NextBytes(bytes);
        await channel.Output.WriteAsync(bytes);
        Assert.That(await ReceiveDataAsync(bytes.Length), Is.EqualTo(bytes));
        foreach (var chunk in bytes.Chunk(30_000)) await _target.SendAsync(ScriptedServer.Data(id, chunk));
        Assert.That(await SshHarness.ReadAsync(channel, bytes.Length), Is.EqualTo(bytes));

        await sessions.DisposeAsync();
        await carrying.Soon();
    }

    [Test]
    public async Task A_hop_gets_its_own_password_and_only_that()
    {
        var connecting = ConnectAsync(hop: new TransferCredential("gate", "hop's own"));
        var toHop = await _hop.Script.StartLogInAsync();
        await _hop.Script.SendAsync([MessageNumber.AuthSuccess]);
        _ = _hop.CarryAsync();
        var toTarget = await _target.StartLogInAsync();
        await _target.SendAsync([MessageNumber.AuthSuccess]);
        await using var sessions = await connecting.Soon();
        Assert.That(Encoding.UTF8.GetString(toHop), Does.Contain("gate").And.Contain("hop's own").And.Not.Contain(Secret));
        Assert.That(Encoding.UTF8.GetString(toTarget), Does.Contain(Secret).And.Not.Contain("hop's own"));
    }

    [Test]
    public async Task A_hop_that_asks_gets_no_password_but_what_somebody_answers_to_it()
    {
        var asked = new List<string>();
        var connecting = ConnectAsync(options => options with
        {
            Interaction = (questions, _) =>
            {
                asked.Add($"{questions.UserName} {questions.Server} {questions.Prompts[0].Text}");
                return new(["typed"]);
            },
        });
        await _hop.Script.StartLogInAsync();
        await _hop.Script.SendAsync(Questions("Password: "));
        var answer = Encoding.UTF8.GetString(await _hop.Script.ReceiveAsync(MessageNumber.AuthInfoResponse));
        await _hop.Script.SendAsync([MessageNumber.AuthSuccess]);
        _ = _hop.CarryAsync();
        await _target.StartLogInAsync();
        await _target.SendAsync(Failure("keyboard-interactive"));
        await _target.ReceiveAsync(MessageNumber.AuthRequest);
        await _target.SendAsync(Questions("Code: "));
        await _target.ReceiveAsync(MessageNumber.AuthInfoResponse);
        await _target.SendAsync([MessageNumber.AuthSuccess]);
        await using var sessions = await connecting.Soon();
        Assert.That(answer, Does.Contain("typed").And.Not.Contain(Secret));
        Assert.That(asked, Is.EqualTo(new[]
        {
            $"{Environment.UserName} 127.0.0.1:{_hop.Port} Password:",
            $"alice target.example:2222 through 127.0.0.1:{_hop.Port} Code:",
        }));
    }

    [Test]
    public async Task A_hop_with_a_wrong_host_key_ends_it()
    {
        var connecting = ConnectAsync(known: $"[127.0.0.1]:{_hop.Port} {TestKeys.Ed25519Public}\n[target.example]:2222 {HostKey}\n");
        await Assert.ThatAsync(_hop.Script.StartLogInAsync, Throws.Exception);
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That((error.Error, error.Message), Is.EqualTo((TransferError.HostKey, error.Message)));
        Assert.That(error.Message, Does.Contain($"[127.0.0.1]:{_hop.Port}").And.Contain("not the one that is known"));
        Assert.That(_hop.Asked, Is.Empty);
    }

    [Test]
    public async Task The_target_is_known_by_its_own_name_and_port()
    {
        var connecting = ConnectAsync(known: $"[127.0.0.1]:{_hop.Port} {HostKey}\n");
        await _hop.Script.LogInAsync();
        _ = _hop.CarryAsync();
        await Assert.ThatAsync(_target.StartLogInAsync, Throws.Exception);
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.HostKey));
        Assert.That(error.Message, Does.Contain("[target.example]:2222"));
    }

    [Test]
    public async Task Pins_are_the_targets_alone()
    {
        var connecting = ConnectAsync(
            options => options with { HostKeys = options.HostKeys with { Pins = ["SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"] } });
        await _hop.Script.LogInAsync();
        _ = _hop.CarryAsync();
        await Assert.ThatAsync(_target.StartLogInAsync, Throws.Exception);
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That(error.Message, Does.Contain("[target.example]:2222").And.Contain("pinned"));
    }

    [Test]
    public async Task A_hop_that_refuses_the_log_in_is_named()
    {
        var connecting = ConnectAsync();
        await _hop.Script.StartLogInAsync();
        await _hop.Script.SendAsync(Failure("publickey,password"));
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.Message, Does.Contain("127.0.0.1 refuses the log-in").And.Not.Contain("alice"));
    }

    [Test]
    public async Task A_hop_that_does_not_let_through_is_an_error_with_both_names()
    {
        using var strict = new ScriptedHop();
        var connecting = ConnectAsync(port: strict.Port);
        await strict.Script.LogInAsync();
        var carrying = strict.CarryAsync();
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Denied));
        Assert.That(error.Message, Does.Contain("target.example:2222").And.Contain("127.0.0.1").And.Contain("not from here"));

        // Nobody needs the hop any more.
        await carrying.Soon();
    }

    [Test]
    public async Task A_hop_that_does_not_reach_the_target_in_time_is_a_timeout()
    {
        var time = new ManualTime();
        var connecting = ConnectAsync(options => options with { TimeProvider = time, IdleTimeout = TimeSpan.FromHours(1) });
        await _hop.Script.LogInAsync();
        await _hop.Script.ReceiveAsync(MessageNumber.ChannelOpen);
        time.Advance(new DialOptions().ConnectTimeout);
        var error = await connecting.Failure<TransferConnectionException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(error.Message, Does.Contain($"127.0.0.1:{_hop.Port} did not reach target.example:2222"));
    }

    [Test]
    public async Task A_lost_hop_fails_all_that_is_behind_it_with_a_reason_that_names_it()
    {
        using var second = new ScriptedServer();
        using var hop = new ScriptedHop { Reach = (_, _) => _target.TheirInit is null ? _target : second };
        var connecting = ConnectAsync(port: hop.Port);
        await hop.Script.LogInAsync();
        _ = hop.CarryAsync();
        await _target.LogInAsync();
        await using var first = await connecting.Soon();
        var connectingAgain = _route!.ConnectAsync(null, default).Soon();
        await second.LogInAsync();
        await using var other = await connectingAgain;
        Assert.That(hop.Asked, Has.Count.EqualTo(2), "both through one connection");
        var (channel, id) = await OpenAsync(first);
        await _target.SendAsync(ScriptedServer.Data(id, [1, 2, 3]));
        await SshHarness.ReadAsync(channel, 3);

        var reading = SshHarness.ReadFailureAsync(channel);
        hop.Break();
        var error = await reading.Soon();
        var others = await other.OpenSubsystemAsync("sftp", default).AsTask().Failure<TransferConnectionException>();
        Assert.That(new[] { error.Error, others.Error }, Is.All.EqualTo(TransferError.Lost));
        Assert.That(error.Message, Does.StartWith($"The connection to target.example is lost with the jump host 127.0.0.1:{hop.Port}: "));
        Assert.That(others.Message, Is.EqualTo(error.Message));
        Assert.That(await SshHarness.FailureOfAsync(channel.Output.WriteAsync(new byte[10]).AsTask()), Is.SameAs(error),
            "one reason for every user of a connection");
    }

    [Test]
    public async Task The_hop_is_closed_with_the_last_connection_behind_it()
    {
        using var second = new ScriptedServer();
        using var hop = new ScriptedHop { Reach = (_, _) => _target.TheirInit is null ? _target : second };
        var connecting = ConnectAsync(port: hop.Port);
        await hop.Script.LogInAsync();
        var carrying = hop.CarryAsync();
        await _target.LogInAsync();
        var first = await connecting.Soon();
        var connectingAgain = _route!.ConnectAsync(null, default).Soon();
        await second.LogInAsync();
        var other = await connectingAgain;

        await first.DisposeAsync();
        Assert.That((carrying.IsCompleted, other.Usable), Is.EqualTo((false, true)));
        await other.DisposeAsync();
        await carrying.Soon();
    }

    [Test]
    public async Task Hops_may_be_several()
    {
        using var inner = new ScriptedHop(listens: false) { Reach = (_, _) => _target };
        using var outer = new ScriptedHop { Reach = (_, _) => inner.Script };
        var connecting = ConnectAsync(
            options => options with { Jump = [new SshJumpHost("127.0.0.1") { Port = outer.Port }, new SshJumpHost("inner.example")] },
            known: $"* {HostKey}\n");
        await outer.Script.LogInAsync();
        _ = outer.CarryAsync();
        await inner.Script.LogInAsync();
        var innerCarries = inner.CarryAsync();
        await _target.LogInAsync();
        var sessions = await connecting.Soon();
        Assert.That((outer.Asked.Single(), inner.Asked.Single()), Is.EqualTo(("inner.example:22", "target.example:2222")));
        await sessions.DisposeAsync();
        await innerCarries.Soon();
    }

    [Test]
    public async Task A_connection_that_is_given_up_lets_go_of_the_hop()
    {
        using var cancel = new CancellationTokenSource();
        var connecting = ConnectAsync(ct: cancel.Token);
        await _hop.Script.LogInAsync();
        var carrying = _hop.CarryAsync();
        await _target.StartLogInAsync();
        await cancel.CancelAsync();
        await connecting.Failure<OperationCanceledException>();
        await carrying.Soon();
    }

    [Test]
    public async Task An_alias_of_the_configuration_is_connected_to_and_known_by_its_key_alias()
    {
        using var server = new ListeningServer();
        var config = _folder.AddPrivate("config",
            $"Host files\n HostName 127.0.0.1\n Port {server.Port}\n User bob\n HostKeyAlias the-files\n UserKnownHostsFile "
            + $"{_folder.Path}/of-files\n");
        _folder.AddPrivate("of-files", $"the-files {HostKey}\n");
        var options = Options() with
        {
            Config = new SshConfigOptions { Files = [config], HomeDirectory = _folder.Path },
            HostKeys = new SshHostKeyOptions()
        };
        _route = new SshRoute(new SshJumpHost("files"), options, new SegmentPool(), _ => { }, _log);
        var connecting = _route.ConnectAsync(null, default).Soon();
        var request = await server.Script.StartLogInAsync();
        await server.Script.SendAsync([MessageNumber.AuthSuccess]);
        await using var sessions = await connecting;
        Assert.That(Encoding.UTF8.GetString(request), Does.Contain("bob"));
    }

    [Test]
    public async Task What_the_configuration_does_not_allow_is_an_error_of_the_connection()
    {
        var config = _folder.AddPrivate("config", "ProxyCommand nc %h %p\n");
        await using var client = new SftpTransferClient(new Uri("sftp://files.example/"),
            Options() with { Config = new SshConfigOptions { Files = [config] } });
        var error = await client.ConnectAsync().AsTask().Failure<TransferException>();
        Assert.That(error.Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That(error.Message, Does.Contain("files.example").And.Contain("ProxyCommand").And.Not.Contain("nc "));
    }

    private static SftpOptions Options() => new() { Agent = new SshAgentOptions { Use = SshAgentUse.Never } };

    private Task<ISshSessions> ConnectAsync(
        Func<SftpOptions, SftpOptions>? change = null, string? known = null, TransferCredential? hop = null, int? port = null,
        CancellationToken ct = default)
    {
        var file = _folder.AddPrivate("known", known ?? $"[127.0.0.1]:{port ?? _hop.Port} {HostKey}\n[target.example]:2222 {HostKey}\n");
        var options = Options() with
        {
            Jump = [new SshJumpHost("127.0.0.1") { Port = port ?? _hop.Port, Credential = hop }],
            HostKeys = new SshHostKeyOptions { KnownHostsFiles = [file] },
        };
        _route = new SshRoute(new SshJumpHost("target.example") { Port = 2222, Credential = new TransferCredential("alice", Secret) },
            change?.Invoke(options) ?? options, new SegmentPool(), _ => { }, _log);
        return _route.ConnectAsync(null, ct).AsTask();
    }

    private async Task<(SshChannel Channel, uint Id)> OpenAsync(ISshSessions sessions, uint window = 1 << 20)
    {
        var opening = sessions.OpenSubsystemAsync("sftp", default).Soon();
        var id = await _target.ConfirmChannelAsync(window);
        var channel = await opening;
        await _target.ReceiveAsync(MessageNumber.ChannelRequest);
        await _target.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, id));
        return (channel, id);
    }

    private async Task<byte[]> ReceiveDataAsync(int count)
    {
        using var bytes = new MemoryStream();
        while (bytes.Length < count)
        {
            var message = await _target.ReceiveAsync(MessageNumber.ChannelData);
            bytes.Write(message.AsSpan(9));
        }

        return bytes.ToArray();
    }

    private static byte[] Failure(string methods) => ScriptedServer.Message(MessageNumber.AuthFailure, w =>
    {
        w.WriteString(methods);
        w.WriteBoolean(false);
    });

    private static byte[] Questions(string prompt) => ScriptedServer.Message(MessageNumber.AuthMethodReply, w =>
    {
        w.WriteString("");
        w.WriteString("");
        w.WriteString("");
        w.WriteUInt32(1);
        w.WriteString(prompt);
        w.WriteBoolean(false);
    });
}
