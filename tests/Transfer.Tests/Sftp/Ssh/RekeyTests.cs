using Transfer.Sftp;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>Key exchanges after the first, by either side, at any moment.</summary>
[Category(Categories.Slow)]
public sealed class RekeyTests
{
    [TestCase("aes128-gcm@openssh.com", true)]
    [TestCase("aes128-ctr", true)]
    [TestCase("aes128-ctr", false)]
    public async Task Both_sides_change_keys_under_flow_and_no_byte_is_lost(string cipher, bool strict)
    {
        // The client changes keys every 100 KB, the server every ten echoes.
        using var server = new ScriptedServer
        {
            Strict = strict,
            Algorithms = new SshAlgorithms { Ciphers = [cipher], KeyExchanges = ["ecdh-sha2-nistp256"] }
        };
        await using var connection = await SshHarness.ReadyAsync(server,
            SshHarness.Settings() with { Rekey = new RekeyLimits { Bytes = 100_000 } });
        var (channel, id) = await SshHarness.OpenAsync(connection, server, window: int.MaxValue);
        var data = new byte[2_000_000];
        new Random(1).NextBytes(data);

        var writing = Task.Run(async () =>
        {
            await channel.Output.WriteAsync(data);
            await channel.Output.CompleteAsync();
        });
        var reading = SshHarness.ReadAsync(channel, data.Length);
        var exchanges = await EchoAsync(server, id, serverRekeysEvery: 10);
        await writing;
        Assert.That(await reading, Is.EqualTo(data).AsCollection);
        Assert.That(exchanges, Is.GreaterThanOrEqualTo(4));
    }

    [Test]
    public async Task Used_up_keys_take_no_more_although_the_next_exchange_has_to_wait_for_the_last_one()
    {
        const int Limit = 100_000;
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server,
            SshHarness.Settings() with { Rekey = new RekeyLimits { Bytes = Limit } });
        var (channel, _) = await SshHarness.OpenAsync(connection, server, window: int.MaxValue);
        Task? writing = null;
        server.BeforeNewKeys = async () =>
        {
            // It can't begin another exchange yet, and may send until the limit only.
            writing = channel.Output.WriteAsync(new byte[1_000_000]).AsTask();
            for (var sent = 0; sent < Limit;) sent += (await server.ReceiveAsync(MessageNumber.ChannelData)).Length;
        };
        await server.ExchangeKeysAsync();
        Assert.That((await server.ReceiveAsync())[0], Is.EqualTo(MessageNumber.KexInit));
        server.Reset();
        await SshHarness.FailureOfAsync(writing!);
    }

    [Test]
    public async Task What_the_server_sent_before_its_key_exchange_arrives_although_ours_has_begun()
    {
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server);
        var (channel, id) = await SshHarness.OpenAsync(connection, server);
        connection.Rekey();
        var init = await server.ReceiveAsync(MessageNumber.KexInit);
        await server.SendAsync(ScriptedServer.Data(id, [1, 2]));
        Assert.That(await SshHarness.ReadAsync(channel, 2), Is.EqualTo(new byte[] { 1, 2 }));

        // What we are asked meanwhile is answered when the keys are there, and what we send waits too.
        await server.SendAsync(ScriptedServer.Message(MessageNumber.GlobalRequest, w =>
        {
            w.WriteString("keepalive@openssh.com");
            w.WriteBoolean(true);
        }));
        var sending = channel.Output.WriteAsync(new byte[] { 3 }).AsTask();
        await server.ExchangeKeysAsync(init);
        var (one, other) = (await server.ReceiveAsync(), await server.ReceiveAsync());
        Assert.That(new[] { one[0], other[0] }, Is.EquivalentTo(new[] { MessageNumber.RequestFailure, MessageNumber.ChannelData }));
        await sending;
    }

    [TestCase("aes128-gcm@openssh.com", true)]
    [TestCase("chacha20-poly1305@openssh.com", true)]
    [TestCase("aes128-ctr", false)]
    public async Task Data_between_the_servers_KEXINIT_and_its_NEWKEYS_is_taken_when_keys_are_changed(string cipher, bool strict)
    {
        using var server = new ScriptedServer
        {
            Strict = strict,
            Algorithms = new SshAlgorithms { Ciphers = [cipher], KeyExchanges = ["ecdh-sha2-nistp256"] },
        };
        await using var connection = await SshHarness.ReadyAsync(server);
        var (channel, id) = await SshHarness.OpenAsync(connection, server);
        for (byte round = 0; round < 3; round++)
        {
            await server.SendKexInitAsync();
            await server.SendAsync(ScriptedServer.Data(id, [round, 1]), ScriptedServer.Message(MessageNumber.GlobalRequest, w =>
            {
                w.WriteString("keepalive@openssh.com");
                w.WriteBoolean(true);
            }));
            // Our NEWKEYS comes late: what is sent before it is sealed with the old keys.
            server.BeforeNewKeys = () => server.SendAsync(ScriptedServer.Data(id, [round, 2]));
            await server.ExchangeKeysAsync(sendInit: false);
            await server.SendAsync(ScriptedServer.Data(id, [round, 3]));
            Assert.That(await SshHarness.ReadAsync(channel, 6), Is.EqualTo(new byte[] { round, 1, round, 2, round, 3 }));
            Assert.That((await server.ReceiveAsync())[0], Is.EqualTo(MessageNumber.RequestFailure), "held until the new keys");
        }
    }

    [Test]
    public async Task A_server_that_asks_on_and_on_inside_a_key_exchange_is_cut_off()
    {
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server);
        await server.SendKexInitAsync();
        var question = ScriptedServer.Message(MessageNumber.GlobalRequest, w =>
        {
            w.WriteString("keepalive@openssh.com");
            w.WriteBoolean(true);
        });
        var questions = Enumerable.Repeat(question, 1000).ToArray();
        try
        {
            while (connection.Failure is null) await server.SendAsync(questions).WaitAsync(SshHarness.Patience);
        }
        catch (IOException)
        {
            // The client is gone.
        }
        await connection.Ended.WaitAsync(SshHarness.Patience);
        Assert.That(connection.Failure!.Error, Is.EqualTo(TransferError.Protocol));
    }

    [TestCase(MessageNumber.ServiceAccept)]
    [TestCase(MessageNumber.ExtensionInfo)]
    [TestCase(MessageNumber.KexInit)]
    [TestCase(MessageNumber.NewKeys)]
    public async Task What_may_not_come_inside_a_key_exchange_ends_the_connection(byte number)
    {
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server);
        var (channel, _) = await SshHarness.OpenAsync(connection, server);
        await server.SendKexInitAsync();
        if (number == MessageNumber.KexInit) await server.SendKexInitAsync();
        else await server.SendAsync([number, 0, 0, 0, 0, 0]);
        Assert.That((await SshHarness.ReadFailureAsync(channel)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_disconnect_in_mid_rekey_fails_everybody_with_one_reason(bool inWords)
    {
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server);
        var (channel, _) = await SshHarness.OpenAsync(connection, server);
        await server.SendKexInitAsync();
        await server.ReceiveAsync(MessageNumber.KexInit);
        var writing = channel.Output.WriteAsync(new byte[100]).AsTask();
        var reading = channel.Input.ReadAsync().AsTask();
        var opening = connection.OpenTunnelAsync("inner.example", 22).AsTask();
        if (inWords)
        {
            await server.SendAsync(ScriptedServer.Message(MessageNumber.Disconnect, w =>
            {
                w.WriteUInt32(11);
                w.WriteString("going down");
                w.WriteString("");
            }));
        }
        else
        {
            server.Reset();
        }

        var reason = await SshHarness.FailureOfAsync(reading);
        Assert.That(reason.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(await SshHarness.FailureOfAsync(writing), Is.SameAs(reason));
        Assert.That(await SshHarness.FailureOfAsync(opening), Is.SameAs(reason));
        Assert.That(await SshHarness.FailureOfAsync(channel.ExitStatus), Is.SameAs(reason));
        Assert.That(connection.Failure, Is.SameAs(reason));
        Assert.That(await SshHarness.FailureOfAsync(connection.OpenTunnelAsync("inner.example", 22).AsTask()), Is.SameAs(reason));
        Assert.That(await SshHarness.FailureOfAsync(channel.Output.WriteAsync(new byte[1]).AsTask()), Is.SameAs(reason));
    }

    [Test]
    public async Task A_host_key_that_changes_with_the_keys_is_asked_about_again_and_the_same_one_is_not()
    {
        using var server = new ScriptedServer();
        var trust = new SshHarness.FixedTrust();
        await using var connection = await SshHarness.ReadyAsync(server, SshHarness.Settings() with { Trust = trust });
        await server.ExchangeKeysAsync();
        Assert.That(trust.Asked, Is.EqualTo(1));
        server.SignsWrong = true;
        var exchanging = server.ExchangeKeysAsync();
        await connection.Ended.WaitAsync(SshHarness.Patience);
        Assert.That(connection.Failure!.Error, Is.EqualTo(TransferError.HostKey));
        await exchanging.ContinueWith(static task => task.Exception, TaskScheduler.Default);
    }

    [Test]
    public async Task Keys_are_changed_after_an_hour()
    {
        var clock = new ManualTime();
        using var server = new ScriptedServer();
        await using var connection = await SshHarness.ReadyAsync(server,
            SshHarness.Settings() with { TimeProvider = clock, IdleTimeout = TimeSpan.Zero });
        clock.Advance(TimeSpan.FromMinutes(61));
        await server.SendAsync(ScriptedServer.Message(MessageNumber.Ignore, w => w.WriteString("")));
        await server.ExchangeKeysAsync();
        Assert.That(connection.IsUsable);
    }

    /// <summary>Sends everything back until the client's EOF; returns how many key exchanges there were.</summary>
    private static async Task<int> EchoAsync(ScriptedServer server, uint id, int serverRekeysEvery)
    {
        var exchanges = 0;
        var wait = new Queue<byte[]>();
        for (var echoes = 0; ;)
        {
            var message = await server.ReceiveAsync();
            switch (message[0])
            {
                case MessageNumber.KexInit:
                    await server.ExchangeKeysAsync(message);
                    exchanges++;
                    break;
                case MessageNumber.ChannelData:
                    var data = new SshReader(message.AsSpan(5)).ReadString().ToArray();
                    await server.SendAsync(ScriptedServer.Data(id, data));
                    if (++echoes % serverRekeysEvery != 0) break;

                    // Ours begins; what the client sent before it saw that is echoed behind it.
                    await server.SendKexInitAsync();
                    while ((message = await server.ReceiveAsync())[0] != MessageNumber.KexInit) wait.Enqueue(message);
                    await server.ExchangeKeysAsync(message, sendInit: false);
                    exchanges++;
                    while (wait.TryDequeue(out var late))
                    {
                        if (late[0] == MessageNumber.ChannelEof) return exchanges;
                        await server.SendAsync(ScriptedServer.Data(id, new SshReader(late.AsSpan(5)).ReadString().ToArray()));
                    }

                    break;
                case MessageNumber.ChannelEof:
                    return exchanges;
            }
        }
    }
}
