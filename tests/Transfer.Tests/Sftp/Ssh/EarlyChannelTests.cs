using System.Text;
using Transfer.Sftp.Ssh.Settings;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>The subsystem that is asked for in one flight with the log-in, as OpenSSH takes it.</summary>
public sealed class EarlyChannelTests
{
    private const string OpenSsh = "SSH-2.0-OpenSSH_9.2p1 Debian-2";

    private SshChannel? _channel;

    [SetUp]
    public void Forget() => _channel = null;

    [Test]
    public async Task The_channel_its_request_and_its_first_bytes_come_before_anything_is_answered()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        var id = await ReceiveFlightAsync(server);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess], Confirmation(id, 0, window: 0), WindowAdjust(id, 100),
            ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, id), ScriptedServer.Data(id, "there"u8.ToArray()));
        await using var connection = await connecting;
        Assert.That(Encoding.ASCII.GetString(await SshHarness.ReadAsync(_channel!, 5)), Is.EqualTo("there"));

        // Its window opened with the request: what was sent before counts.
        var writing = _channel!.Output.WriteAsync(new byte[200]).AsTask();
        Assert.That((await server.ReceiveAsync(MessageNumber.ChannelData)).Length, Is.EqualTo(9 + 100 - "hello".Length));
        Assert.That(writing.IsCompleted, Is.False);
        await server.SendAsync(WindowAdjust(id, 200));
        await server.ReceiveAsync(MessageNumber.ChannelData);
        await writing.WaitAsync(SshHarness.Patience);
    }

    [Test]
    public async Task Further_channels_open_as_ever()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        var first = await ReceiveFlightAsync(server);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess], Confirmation(first, 0),
            ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, first));
        await using var connection = await connecting;
        var (channel, id) = await SshHarness.OpenAsync(connection, server);
        Assert.That(id, Is.Not.EqualTo(first));
        await server.SendAsync(ScriptedServer.Data(id, [1]), ScriptedServer.Data(first, [2]));
        Assert.That((await SshHarness.ReadAsync(channel, 1), await SshHarness.ReadAsync(_channel!, 1)),
            Is.EqualTo((new byte[] { 1 }, new byte[] { 2 })));
    }

    [TestCase("SSH-2.0-Scripted")]
    [TestCase("SSH-2.0-OpenSSH_for_Windows_9.5")]
    [TestCase("SSH-2.0-OpenSSH_")]
    [TestCase("SSH-1.99-mod_sftp")]
    public async Task Other_servers_are_asked_when_the_log_in_is_over(string version)
    {
        using var server = new ScriptedServer { Version = version };
        await using var connection = await SshHarness.ReadyAsync(server, Settings());
        Assert.That(_channel, Is.Null);
        await SshHarness.OpenAsync(connection, server);
    }

    [Test]
    public async Task Where_one_proof_is_not_enough_the_channel_fails_and_is_never_heard_of_again()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        await ReceiveFlightAsync(server);
        await server.SendAsync(ScriptedServer.Accept, ScriptedServer.Failure("keyboard-interactive"), Unimplemented, Unimplemented,
            Unimplemented);
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        Assert.That((await SshHarness.ReadFailureAsync(_channel!)).Error, Is.EqualTo(TransferError.Lost));
        Assert.That((await SshHarness.FailureOfAsync(_channel!.Output.WriteAsync("more"u8.ToArray()).AsTask())).Error,
            Is.EqualTo(TransferError.Lost));
        await _channel.DisposeAsync();
        await server.SendAsync([MessageNumber.AuthSuccess]);
        await using var connection = await connecting;

        // The next thing that it hears is the next channel.
        await SshHarness.OpenAsync(connection, server);
    }

    [Test]
    public async Task A_first_channel_of_another_number_ends_the_connection()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        var id = await ReceiveFlightAsync(server);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess], Confirmation(id, 3));
        await using var connection = await connecting;
        Assert.That((await SshHarness.ReadFailureAsync(_channel!)).Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(connection.IsUsable, Is.False);
    }

    [Test]
    public async Task A_refused_channel_fails_and_the_connection_stays()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        var id = await ReceiveFlightAsync(server);
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess],
            ScriptedServer.OnChannel(MessageNumber.ChannelOpenFailure, id, w =>
        {
            w.WriteUInt32(1);
            w.WriteString("no sessions");
            w.WriteString("");
        }));
        await using var connection = await connecting;
        var failure = await SshHarness.ReadFailureAsync(_channel!);
        Assert.That((failure.Error, failure.Message),
            Is.EqualTo((TransferError.Denied, "host.example opens no channel: no sessions (reason 1).")));
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task A_connection_that_is_lost_in_the_log_in_takes_the_channel_with_it()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        await ReceiveFlightAsync(server);
        server.End();
        Assert.That((await SshHarness.FailureOfAsync(connecting)).Error, Is.EqualTo(TransferError.Lost));
        Assert.That((await SshHarness.ReadFailureAsync(_channel!)).Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_channel_that_nobody_wants_any_more_is_closed_when_it_opens()
    {
        using var server = new ScriptedServer { Version = OpenSsh };
        var connecting = SshHarness.ConnectAsync(server, Settings());
        var id = await ReceiveFlightAsync(server);
        await _channel!.DisposeAsync();
        await server.SendAsync(ScriptedServer.Accept, [MessageNumber.AuthSuccess], Confirmation(id, 0));
        await using var connection = await connecting;
        await server.ReceiveAsync(MessageNumber.ChannelClose);
    }

    private static byte[] Unimplemented => ScriptedServer.Message(MessageNumber.Unimplemented, w => w.WriteUInt32(5));

    private static byte[] Confirmation(uint id, uint number, uint window = 1 << 20) =>
        ScriptedServer.OnChannel(MessageNumber.ChannelOpenConfirmation, id, w =>
    {
        w.WriteUInt32(number);
        w.WriteUInt32(window);
        w.WriteUInt32(32768);
    });

    private static byte[] WindowAdjust(uint id, uint count) =>
        ScriptedServer.OnChannel(MessageNumber.ChannelWindowAdjust, id, w => w.WriteUInt32(count));

    private SshConnectionSettings Settings() => SshHarness.Settings() with
    {
        Early = new EarlyUse("sftp", (channel, _) =>
        {
            _channel = channel;
            Assert.That(channel.Output.WriteAsync("hello"u8.ToArray()).AsTask().IsCompletedSuccessfully);
        }),
    };

    // Nothing is answered yet. Returns the channel's number.
    private static async Task<uint> ReceiveFlightAsync(ScriptedServer server)
    {
        await server.ExchangeVersionsAsync();
        await server.ExchangeKeysAsync();
        await server.ReceiveAsync(MessageNumber.ServiceRequest);
        await server.ReceiveAsync(MessageNumber.AuthRequest);
        var id = ScriptedServer.OpenedChannel(await server.ReceiveAsync(MessageNumber.ChannelOpen));
        var request = await server.ReceiveAsync(MessageNumber.ChannelRequest);
        Assert.That(Encoding.ASCII.GetString(request, 1, request.Length - 1),
            Is.EqualTo("\0\0\0\0\0\0\0\u0009subsystem\u0001\0\0\0\u0004sftp"));
        var data = await server.ReceiveAsync(MessageNumber.ChannelData);
        Assert.That(Encoding.ASCII.GetString(data, 1, data.Length - 1), Is.EqualTo("\0\0\0\0\0\0\0\u0005hello"));
        return id;
    }
}
