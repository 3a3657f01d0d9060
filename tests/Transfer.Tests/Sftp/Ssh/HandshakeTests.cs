using System.Text;
using Transfer.Sftp;
using Transfer.Sftp.Ssh.Agreements;
using Transfer.Sftp.Ssh.Kex;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;
using Transfer.Tests.Ftp.Protocol;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Connecting: the version exchange and the first keys, with servers that do wrong.</summary>
public sealed class HandshakeTests
{
    private static IReadOnlyList<string> Methods => new SshAlgorithms().KeyExchanges;

    [TestCase("aes128-gcm@openssh.com", true)]
    [TestCase("aes256-ctr", true)]
    [TestCase("aes256-ctr", false)]
    public async Task A_connection_logs_in_and_opens_a_channel(string cipher, bool strict)
    {
        using var server = new ScriptedServer
        {
            Strict = strict,
            Extends = true,
            Algorithms = new SshAlgorithms { Ciphers = [cipher], KeyExchanges = ["curve25519-sha256"] }
        };
        var connecting = SshHarness.ConnectAsync(server);
        await server.ExchangeVersionsAsync("Welcome\r\nto this host\r\n");
        await server.ExchangeKeysAsync();
        Assert.That(server.TheirInit!.Methods, Does.Contain(KexNames.ClientStrict).And.Contain(KexNames.ClientExtensions));
        var extensions = await server.ReceiveAsync(MessageNumber.ExtensionInfo);
        Assert.That(Encoding.ASCII.GetString(extensions), Does.Contain("ext-info-in-auth@openssh.com"));
        await server.ReceiveAsync(MessageNumber.ServiceRequest);
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess]);

        await using var connection = await connecting;
        Assert.That(connection.ServerVersion, Is.EqualTo("SSH-2.0-Scripted"));
        Assert.That(connection.RoundTrip, Is.GreaterThan(TimeSpan.Zero));
        var (channel, id) = await SshHarness.OpenAsync(connection, server);
        await channel.Output.WriteAsync("up"u8.ToArray());
        Assert.That(await server.ReceiveAsync(), Is.EqualTo(ScriptedServer.Data(70 + id, [.. "up"u8])));
        await server.SendAsync(ScriptedServer.Data(id, [.. "down"u8]));
        Assert.That(await SshHarness.ReadAsync(channel, 4), Is.EqualTo("down"u8.ToArray()));
    }

    [TestCase("220-Welcome\r\n220 ftp.example ready\r\n", "FTP", "220-Welcome")]
    [TestCase("220 mail.example ESMTP\r\n", "FTP", "220 mail.example ESMTP")]
    [TestCase("HTTP/1.1 400 Bad Request\r\n", "HTTP", "HTTP/1.1 400 Bad Request")]
    [TestCase("+OK ready\r\n", "POP3", "+OK ready")]
    [TestCase("\u0015\u0003\u0001\0\u0002\u0002F", "TLS", "")]
    public async Task A_server_of_another_protocol_is_named_at_once(string greeting, string protocol, string shown)
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.SendRawAsync(Encoding.Latin1.GetBytes(greeting));
        var error = await SshHarness.FailureOfAsync(connecting);
        Assert.That(error.Message, Does.Contain($"host.example speaks {protocol} and not SSH").And.Contain(shown));
        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Protocol, false)));
    }

    [Test]
    public async Task What_a_server_says_in_place_of_its_version_is_in_the_error()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.SendRawAsync("Exceeded MaxStartups\r\n"u8.ToArray());
        server.End();
        var error = await SshHarness.FailureOfAsync(connecting);
        Assert.That(error.Message, Does.Contain("Exceeded MaxStartups"));
        Assert.That((error.Error, error.IsTransient, error.ServerCode), Is.EqualTo((TransferError.Lost, true, (int?)12)));
    }

    [TestCaseSource(nameof(Methods))]
    public async Task Every_method_of_key_exchange_leads_to_a_log_in(string method)
    {
        using var server = new ScriptedServer { Algorithms = new SshAlgorithms { KeyExchanges = [method], HostKeys = ["ssh-ed25519"] } };
        var connecting = SshHarness.ConnectAsync(server);
        await server.LogInAsync();
        await using var connection = await connecting;
        Assert.That(connection.ServerVersion, Is.EqualTo("SSH-2.0-Scripted"));
    }

    [Test]
    public async Task Our_key_exchange_leaves_with_our_version_before_anything_came()
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.ReceiveVersionAndInitAsync();
        server.End();
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_greeting_that_is_none_is_refused()
    {
        await RefusedAsync(TransferError.Protocol, server => server.SendRawAsync(new byte[300_000]));
        await RefusedAsync(TransferError.Protocol,
            server => server.SendRawAsync(Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("no\r\n", 2000)))));
        await RefusedAsync(TransferError.Protocol,
            server => server.SendRawAsync([.. "SSH-2.0-x\r\n"u8, .. "HTTP/1.1 400 Bad Request\r\n\r\n"u8]));
        await RefusedAsync(TransferError.Unsupported, server => server.SendRawAsync([.. "SSH-1.5-x\r\n"u8]));
    }

    [Test]
    public async Task What_a_server_says_before_it_hangs_up_is_logged_clean()
    {
        var log = new LogRecorder();
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings(log));
        await server.SendRawAsync([.. "Exceeded MaxStartups\u001b[2J\r\n"u8]);
        server.End();
        Assert.That((await SshHarness.FailureOfAsync(connecting)).IsTransient);
        Assert.That(log.Lines, Has.Some.Contains("Exceeded MaxStartups [2J"));
    }

    [Test]
    public async Task A_wrong_signature_is_a_host_key_error() =>
        await RefusedAsync(TransferError.HostKey, ExchangeAsync, new ScriptedServer { SignsWrong = true });

    [Test]
    public async Task A_point_off_the_curve_is_refused()
    {
        var off = new byte[65];
        off[0] = 4;
        off[64] = 1;
        await RefusedAsync(TransferError.Protocol, ExchangeAsync, new ScriptedServer { PublicValue = off });
        await RefusedAsync(TransferError.Protocol, ExchangeAsync,
            new ScriptedServer { PublicValue = new byte[32], Algorithms = new SshAlgorithms { KeyExchanges = ["curve25519-sha256"] } });
        await RefusedAsync(TransferError.Protocol, ExchangeAsync,
            new ScriptedServer { PublicValue = [1], Algorithms = new SshAlgorithms { KeyExchanges = ["diffie-hellman-group14-sha256"] } });
    }

    [Test]
    public async Task A_host_key_of_another_type_than_agreed_is_refused()
    {
        var settings = SshHarness.Settings() with { Algorithms = new SshAlgorithms { HostKeys = ["rsa-sha2-512"] } };
        await RefusedAsync(TransferError.Protocol, ExchangeAsync, new ScriptedServer { Algorithms = new SshAlgorithms() }, settings);
    }

    [Test]
    public async Task A_host_key_that_is_not_trusted_ends_it_with_that_reason_and_the_server_is_told()
    {
        using var server = new ScriptedServer();
        var trust = new SshHarness.FixedTrust(new TransferException(TransferError.HostKey, "changed: A became B"));
        var connecting = SshHarness.ConnectAsync(server, SshHarness.Settings() with { Trust = trust });
        await server.ExchangeVersionsAsync();
        var exchanging = server.ExchangeKeysAsync();
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That((failure.Error, failure.Message), Is.EqualTo((TransferError.HostKey, "changed: A became B")));
        Assert.That(failure, Is.InstanceOf<TransferConnectionException>());
        Assert.That(() => exchanging, Throws.InstanceOf<InvalidDataException>().With.Message.Contains("message 1,"));
    }

    [Test]
    public async Task Nothing_in_common_is_said_so() => await RefusedAsync(TransferError.Unsupported, ExchangeAsync,
        new ScriptedServer { Algorithms = new SshAlgorithms { Ciphers = ["aes256-ctr"] } },
        SshHarness.Settings() with { Algorithms = new SshAlgorithms { Ciphers = ["aes128-gcm@openssh.com"] } });

    [TestCase(MessageNumber.Ignore)]
    [TestCase(MessageNumber.Debug)]
    [TestCase(MessageNumber.Unimplemented)]
    public async Task Terrapin_a_packet_in_front_of_a_strict_exchange_is_refused(byte number) =>
        await RefusedAsync(TransferError.Protocol, async server =>
    {
        await server.ExchangeVersionsAsync();
        await server.SendAsync(Harmless(number));
        await server.ExchangeKeysAsync();
    });

    [TestCase(MessageNumber.Ignore)]
    [TestCase(MessageNumber.Debug)]
    [TestCase(MessageNumber.Unimplemented)]
    [TestCase(MessageNumber.ExtensionInfo)]
    [TestCase(MessageNumber.KexInit)]
    public async Task Terrapin_a_packet_inside_a_strict_exchange_is_refused(byte number) =>
        await RefusedAsync(TransferError.Protocol, ExchangeAsync, new ScriptedServer { InsideExchange = Harmless(number) });

    [Test]
    public async Task Terrapin_sequence_numbers_that_run_on_are_refused() => await RefusedAsync(TransferError.Protocol, async server =>
    {
        await server.StartLogInAsync();
    }, new ScriptedServer { ForgetsToReset = true, Algorithms = new SshAlgorithms { Ciphers = ["aes128-ctr"] } });

    [TestCase(MessageNumber.Ignore)]
    [TestCase(MessageNumber.Debug)]
    public async Task Without_strictness_harmless_packets_are_allowed_in_an_exchange(byte number)
    {
        using var server = new ScriptedServer { Strict = false, InsideExchange = Harmless(number) };
        await using var connection = await SshHarness.ReadyAsync(server);
        Assert.That(connection.IsUsable);
    }

    [TestCase(MessageNumber.AuthSuccess)]
    [TestCase(MessageNumber.ServiceAccept)]
    [TestCase(MessageNumber.ExtensionInfo)]
    [TestCase(MessageNumber.NewKeys)]
    public async Task What_belongs_behind_the_keys_is_refused_in_front_of_them(byte number) =>
        await RefusedAsync(TransferError.Protocol, ExchangeAsync,
            new ScriptedServer { Strict = false, InsideExchange = [number, 0, 0, 0, 0] });

    [Test]
    public async Task A_guess_that_is_wrong_is_passed_over()
    {
        using var server = new ScriptedServer { GuessesWrong = true };
        await using var connection = await SshHarness.ReadyAsync(server);
        Assert.That(connection.IsUsable);
    }

    [TestCase(2u, TransferError.Protocol)]
    [TestCase(11u, TransferError.Lost)]
    [TestCase(12u, TransferError.Lost)]
    [TestCase(14u, TransferError.Auth)]
    public async Task A_disconnect_carries_the_servers_reason(uint reason, TransferError error)
    {
        using var server = new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(server);
        await server.ExchangeVersionsAsync();
        await server.SendAsync(ScriptedServer.Message(MessageNumber.Disconnect, w =>
        {
            w.WriteUInt32(reason);
            w.WriteString("too busy\r\n");
            w.WriteString("");
        }));
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That((failure.Error, failure.ServerCode), Is.EqualTo((error, (int?)reason)));
        Assert.That(failure.Message, Does.Contain("too busy").And.Not.Contain("\n"));
    }

    [Test]
    public async Task A_caller_who_gives_up_gets_his_own_cancellation()
    {
        using var server = new ScriptedServer();
        using var cancellation = new CancellationTokenSource();
        var connecting = SshHarness.ConnectAsync(server, ct: cancellation.Token);
        await server.ExchangeVersionsAsync();
        await cancellation.CancelAsync();
        Assert.That(() => connecting,
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(cancellation.Token));
    }

    private static async Task ExchangeAsync(ScriptedServer server)
    {
        await server.ExchangeVersionsAsync();
        await server.ExchangeKeysAsync();
    }

    private static byte[] Harmless(byte number) => number switch
    {
        MessageNumber.Ignore => ScriptedServer.Message(number, w => w.WriteString("padding")),
        MessageNumber.Debug => ScriptedServer.Message(number, w =>
        {
            w.WriteBoolean(true);
            w.WriteString("note");
            w.WriteString("");
        }),
        MessageNumber.KexInit => new KexInit
        {
            Methods = ["ecdh-sha2-nistp256"],
            HostKeys = ["ssh-ed25519"],
            CiphersToServer = ["aes128-ctr"],
            CiphersToClient = ["aes128-ctr"],
            MacsToServer = ["hmac-sha2-256"],
            MacsToClient = ["hmac-sha2-256"],
        }.ToPayload(),
        _ => ScriptedServer.Message(number, w => w.WriteUInt32(0)),
    };

    [TestCase(8)]
    [TestCase(19)]
    [TestCase(22)]
    [TestCase(29)]
    public async Task An_unknown_message_before_the_first_keys_ends_the_connection(byte number)
    {
        await RefusedAsync(TransferError.Protocol, async server =>
        {
            await server.ExchangeVersionsAsync();
            await server.SendAsync([number, 0, 0, 0, 0]);
        });
        await RefusedAsync(TransferError.Protocol, ExchangeAsync,
            new ScriptedServer { Strict = false, InsideExchange = [number, 0, 0, 0, 0] });
    }

    private static async Task RefusedAsync(TransferError error, Func<ScriptedServer, Task> play, ScriptedServer? server = null,
        SshConnectionSettings? settings = null)
    {
        using var played = server ?? new ScriptedServer();
        var connecting = SshHarness.ConnectAsync(played, settings);
        var playing = play(played);
        var failure = await SshHarness.FailureOfAsync(connecting);
        Assert.That(failure, Is.InstanceOf<TransferConnectionException>());
        Assert.That(failure.Error, Is.EqualTo(error), failure.Message);

        // The script may have failed with the connection; its exception is what the client's end looks like from there.
        await playing.ContinueWith(static task => task.Exception, TaskScheduler.Default);
    }
}
