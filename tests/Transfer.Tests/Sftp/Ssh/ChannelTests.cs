using System.Buffers;
using Transfer.Sftp.Session;
using Transfer.Sftp.Ssh;
using Transfer.Sftp.Ssh.Wire;
using Transfer.TestSupport.Ssh;

namespace Transfer.Tests.Sftp.Ssh;

/// <summary>The connection protocol, RFC 4254: what a server may do to a channel, and what it may not.</summary>
public sealed class ChannelTests
{
    private ScriptedServer _server = null!;

    [SetUp]
    public void SetUp() => _server = new ScriptedServer();

    [TearDown]
    public void TearDown() => _server.Dispose();

    [Test]
    public async Task More_than_the_window_is_refused()
    {
        await using var connection = await SshHarness.ReadyAsync(_server, SshHarness.Settings() with { ReceiveWindow = 1000 });
        var (channel, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(ScriptedServer.Data(id, new byte[999]), ScriptedServer.Data(id, new byte[2]));
        await EndsAsync(connection, TransferError.Protocol);
        Assert.That(await SshHarness.ReadFailureAsync(channel), Is.SameAs(connection.Failure));
    }

    [Test]
    public async Task The_window_is_given_back_when_half_of_it_was_read()
    {
        await using var connection = await SshHarness.ReadyAsync(_server, SshHarness.Settings() with { ReceiveWindow = 1000 });
        var (channel, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(ScriptedServer.Data(id, new byte[499]));
        await SshHarness.ReadAsync(channel, 499);
        await _server.SendAsync(ScriptedServer.Data(id, new byte[11]));
        await SshHarness.ReadAsync(channel, 11);
        Assert.That(await _server.ReceiveAsync(),
            Is.EqualTo(ScriptedServer.OnChannel(MessageNumber.ChannelWindowAdjust, 70 + id, w => w.WriteUInt32(510))));
        await _server.SendAsync(ScriptedServer.Data(id, new byte[1000]));
        Assert.That(await SshHarness.ReadAsync(channel, 1000), Has.Length.EqualTo(1000));
    }

    [Test]
    public async Task What_nobody_reads_any_more_is_dropped_and_the_window_goes_on()
    {
        await using var connection = await SshHarness.ReadyAsync(_server, SshHarness.Settings() with { ReceiveWindow = 1000 });
        var (channel, id) = await SshHarness.OpenAsync(connection, _server);
        await channel.Input.CompleteAsync();
        await _server.SendAsync(ScriptedServer.Data(id, new byte[800]));
        await _server.ReceiveAsync(MessageNumber.ChannelWindowAdjust);
        await _server.SendAsync(ScriptedServer.Data(id, new byte[1000]));
        await _server.ReceiveAsync(MessageNumber.ChannelWindowAdjust);
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task The_servers_window_and_packet_size_are_kept()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (channel, id) = await SshHarness.OpenAsync(connection, _server, window: 25, packet: 10);
        var data = Enumerable.Range(0, 60).Select(i => (byte)i).ToArray();
        var writing = channel.Output.WriteAsync(data).AsTask();
        var sizes = new List<int>();
        var received = new List<byte>();
        while (received.Count < data.Length)
        {
            if (received.Count == 25)
            {
                Assert.That(writing.IsCompleted, Is.False);
                await _server.SendAsync(Adjust(id, 0), Adjust(id, 35));
            }

            var part = new SshReader((await _server.ReceiveAsync(MessageNumber.ChannelData)).AsSpan(5)).ReadString().ToArray();
            sizes.Add(part.Length);
            received.AddRange(part);
        }

        await writing.WaitAsync(SshHarness.Patience);
        Assert.That(received, Is.EqualTo(data));
        Assert.That(sizes, Is.EqualTo(new[] { 10, 10, 5, 10, 10, 10, 5 }));
        Assert.That(channel.SendWindow, Is.EqualTo(35));
    }

    [Test]
    public async Task Boundless_promises_of_the_server_are_clamped()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (channel, _) = await SshHarness.OpenAsync(connection, _server, window: uint.MaxValue, packet: uint.MaxValue);
        await channel.Output.WriteAsync(new byte[100_000]);
        Assert.That(await _server.ReceiveAsync(MessageNumber.ChannelData), Has.Length.EqualTo(9 + 32768));
    }

    [Test]
    public async Task A_window_beyond_32_bits_is_refused()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (_, id) = await SshHarness.OpenAsync(connection, _server, window: 10);
        await _server.SendAsync(Adjust(id, uint.MaxValue));
        await EndsAsync(connection, TransferError.Protocol);
    }

    [Test]
    public async Task A_channel_whose_packets_may_hold_nothing_is_refused()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var opening = connection.OpenSubsystemAsync("sftp", default).AsTask();
        await _server.ConfirmChannelAsync(packet: 0);
        Assert.That((await SshHarness.FailureOfAsync(opening)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [TestCase(MessageNumber.ChannelData)]
    [TestCase(MessageNumber.ChannelWindowAdjust)]
    [TestCase(MessageNumber.ChannelOpenConfirmation)]
    [TestCase(MessageNumber.ChannelOpenFailure)]
    [TestCase(MessageNumber.ChannelEof)]
    [TestCase(MessageNumber.ChannelClose)]
    [TestCase(MessageNumber.ChannelRequest)]
    [TestCase(MessageNumber.ChannelSuccess)]
    public async Task A_channel_that_was_never_opened_is_refused(byte number)
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        await _server.SendAsync(ScriptedServer.OnChannel(number, 5, w => w.Write(new byte[20])));
        await EndsAsync(connection, TransferError.Protocol);
    }

    [TestCase(MessageNumber.ChannelOpenConfirmation)]
    [TestCase(MessageNumber.ChannelOpenFailure)]
    [TestCase(MessageNumber.ChannelSuccess)]
    public async Task An_answer_that_nobody_asked_for_is_refused(byte number)
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (_, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(ScriptedServer.OnChannel(number, id, w => w.Write(new byte[20])));
        await EndsAsync(connection, TransferError.Protocol);
    }

    [Test]
    public async Task Data_behind_the_servers_close_is_refused_and_behind_ours_it_is_dropped()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (ours, first) = await SshHarness.OpenAsync(connection, _server);
        await ours.DisposeAsync();
        await _server.ReceiveAsync(MessageNumber.ChannelClose);
        await _server.SendAsync(ScriptedServer.Data(first, [1]), ScriptedServer.OnChannel(MessageNumber.ChannelClose, first));

        var (theirs, second) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(ScriptedServer.Data(second, [1, 2]), ScriptedServer.OnChannel(MessageNumber.ChannelClose, second));
        await _server.ReceiveAsync(MessageNumber.ChannelClose);
        Assert.That(await SshHarness.ReadAsync(theirs, 3), Is.EqualTo(new byte[] { 1, 2 }));
        Assert.That((await theirs.Output.WriteAsync(new byte[1])).IsCompleted);
        await _server.SendAsync(ScriptedServer.Data(second, [3]));
        await EndsAsync(connection, TransferError.Protocol);
    }

    [TestCase(1u, TransferError.Denied, false)]
    [TestCase(2u, TransferError.Lost, true)]
    [TestCase(3u, TransferError.Unsupported, false)]
    [TestCase(4u, TransferError.Denied, true)]
    public async Task A_channel_that_is_not_opened_tells_why_and_the_connection_lives(uint reason, TransferError error, bool transient)
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var opening = connection.OpenTunnelAsync("inner.example", 2222).AsTask();
        var open = await _server.ReceiveAsync(MessageNumber.ChannelOpen);
        Assert.That(System.Text.Encoding.ASCII.GetString(open), Does.Contain("direct-tcpip").And.Contain("inner.example"));
        await _server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelOpenFailure, ScriptedServer.OpenedChannel(open), w =>
        {
            w.WriteUInt32(reason);
            w.WriteString("no\r\nway");
            w.WriteString("");
        }));
        var failure = await SshHarness.FailureOfAsync(opening);
        Assert.That((failure.Error, failure.IsTransient, failure is TransferConnectionException), Is.EqualTo((error, transient, false)));
        Assert.That(failure.Message, Does.Contain("no  way"));
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task A_subsystem_that_is_not_there_fails_the_channel_only()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var opening = connection.OpenSubsystemAsync("sftp", default).AsTask();
        var id = await _server.ConfirmChannelAsync();
        var channel = await opening;
        await _server.ReceiveAsync(MessageNumber.ChannelRequest);
        await _server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelFailure, id));
        Assert.That((await SshHarness.ReadFailureAsync(channel)).Error, Is.EqualTo(TransferError.Unsupported));
        Assert.That((await SshHarness.FailureOfAsync(channel.Output.WriteAsync(new byte[1]).AsTask())).Error,
            Is.EqualTo(TransferError.Unsupported));
        await _server.ReceiveAsync(MessageNumber.ChannelClose);
        Assert.That(connection.IsUsable);
    }

    [Test]
    public async Task A_command_gives_output_errors_and_its_status()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var running = connection.OpenCommandAsync("true", CancellationToken.None).AsTask();
        var id = await _server.ConfirmChannelAsync();
        await using var command = new ChannelCommand(await running);
        Assert.That(await _server.ReceiveAsync(), Is.EqualTo(ScriptedServer.OnChannel(MessageNumber.ChannelRequest, 70 + id, w =>
        {
            w.WriteString("exec");
            w.WriteBoolean(true);
            w.WriteString("true");
        })));
        await command.CompleteInputAsync();
        await _server.ReceiveAsync(MessageNumber.ChannelEof);
        await _server.SendAsync(
            ScriptedServer.OnChannel(MessageNumber.ChannelSuccess, id),
            ScriptedServer.OnChannel(MessageNumber.ChannelExtendedData, id, w =>
            {
                w.WriteUInt32(1);
                w.WriteString("oops é");
            }),
            ScriptedServer.Data(id, [.. "out"u8]),
            ScriptedServer.OnChannel(MessageNumber.ChannelEof, id),
            ScriptedServer.OnChannel(MessageNumber.ChannelRequest, id, w =>
            {
                w.WriteString("exit-status");
                w.WriteBoolean(false);
                w.WriteUInt32(3);
            }),
            ScriptedServer.OnChannel(MessageNumber.ChannelClose, id));
        var output = new byte[10];
        Assert.That(await command.Stream.ReadAtLeastAsync(output, 10, throwOnEndOfStream: false), Is.EqualTo(3));
        Assert.That(await command.ExitStatus, Is.EqualTo(3));
        Assert.That(command.ErrorText, Is.EqualTo("oops é"));
    }

    [Test]
    public async Task Requests_of_the_server_are_answered()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (_, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(
            Global("hostkeys-00@openssh.com", wantsReply: false),
            Global("keepalive@openssh.com", wantsReply: true),
            ScriptedServer.OnChannel(MessageNumber.ChannelRequest, id, w =>
            {
                w.WriteString("keepalive@openssh.com");
                w.WriteBoolean(true);
            }),
            ScriptedServer.Message(MessageNumber.ChannelOpen, w =>
            {
                w.WriteString("x11");
                w.WriteUInt32(9);
                w.WriteUInt32(1);
                w.WriteUInt32(1);
            }),
            [200, 1, 2]);
        await _server.ReceiveAsync(MessageNumber.RequestFailure);
        Assert.That(await _server.ReceiveAsync(), Is.EqualTo(ScriptedServer.OnChannel(MessageNumber.ChannelFailure, 70 + id)));
        Assert.That((await _server.ReceiveAsync(MessageNumber.ChannelOpenFailure))[4], Is.EqualTo(9));
        await _server.ReceiveAsync(MessageNumber.Unimplemented);
    }

    [Test]
    public async Task A_channel_that_nobody_waits_for_any_more_is_closed_when_it_opens()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        using var cancellation = new CancellationTokenSource();
        var opening = connection.OpenSubsystemAsync("sftp", cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        Assert.That(() => opening,
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(cancellation.Token));
        await _server.ConfirmChannelAsync();
        await _server.ReceiveAsync(MessageNumber.ChannelClose);
    }

    [Test]
    public async Task A_cancelled_write_keeps_what_was_not_sent_for_the_next()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (channel, id) = await SshHarness.OpenAsync(connection, _server, window: 4);
        using var cancellation = new CancellationTokenSource();
        var writing = channel.Output.WriteAsync(new byte[] { 1, 2, 3, 4, 5, 6 }, cancellation.Token).AsTask();
        await _server.ReceiveAsync(MessageNumber.ChannelData);
        await cancellation.CancelAsync();
        Assert.That(() => writing, Throws.InstanceOf<OperationCanceledException>());
        Assert.That(channel.Output.UnflushedBytes, Is.EqualTo(2));

        var flushing = channel.Output.FlushAsync().AsTask();
        channel.Output.CancelPendingFlush();
        Assert.That((await flushing).IsCanceled);
        await _server.SendAsync(Adjust(id, 10));
        await channel.Output.WriteAsync(new byte[] { 7 });
        Assert.That(await _server.ReceiveAsync(), Is.EqualTo(ScriptedServer.Data(70 + id, [5, 6])));
        Assert.That(await _server.ReceiveAsync(), Is.EqualTo(ScriptedServer.Data(70 + id, [7])));
    }

    [Test]
    public async Task Completing_the_output_sends_what_is_left_and_EOF_behind_it()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (channel, id) = await SshHarness.OpenAsync(connection, _server, window: 0);
        channel.Output.GetSpan(3)[0] = 9;
        channel.Output.Advance(1);
        channel.Output.Complete();
        await _server.SendAsync(Adjust(id, 1));
        Assert.That(await _server.ReceiveAsync(), Is.EqualTo(ScriptedServer.Data(70 + id, [9])));
        await _server.ReceiveAsync(MessageNumber.ChannelEof);
    }

    [Test]
    public async Task A_flipped_bit_under_flow_fails_everybody_with_one_reason()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (channel, id) = await SshHarness.OpenAsync(connection, _server, window: 0);
        var writing = channel.Output.WriteAsync(new byte[10]).AsTask();
        await _server.SendAlteredAsync(wire => wire[30] ^= 4, ScriptedServer.Data(id, new byte[100]));
        await EndsAsync(connection, TransferError.Protocol);
        Assert.That(await SshHarness.FailureOfAsync(writing), Is.SameAs(connection.Failure));
        Assert.That(await SshHarness.ReadFailureAsync(channel), Is.SameAs(connection.Failure));
    }

    [Test]
    public async Task A_packet_that_is_cut_short_is_a_lost_connection()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (_, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAlteredAsync(static _ => { }, ScriptedServer.Data(id, new byte[100]));
        await _server.SendRawAsync([0, 0, 1, 0, 7, 7]);
        _server.End();
        await EndsAsync(connection, TransferError.Lost);
        Assert.That(connection.Failure!.IsTransient);
    }

    [Test]
    public async Task A_message_that_ends_in_the_middle_of_a_field_is_refused()
    {
        await using var connection = await SshHarness.ReadyAsync(_server);
        var (_, id) = await SshHarness.OpenAsync(connection, _server);
        await _server.SendAsync(ScriptedServer.OnChannel(MessageNumber.ChannelData, id, w => w.WriteUInt32(uint.MaxValue)));
        await EndsAsync(connection, TransferError.Protocol);
    }

    [Test]
    public async Task A_server_that_asks_and_never_reads_is_cut_off()
    {
        var clock = new ManualTime();
        await using var connection = await SshHarness.ReadyAsync(_server, SshHarness.Settings() with { TimeProvider = clock });
        _server.Client.Stall();
        var questions = Enumerable.Repeat(Global("keepalive@openssh.com", wantsReply: true), 2000).ToArray();
        for (var i = 0; i < 40 && connection.IsUsable; i++) await _server.SendAsync(questions);
        await EndsAsync(connection, TransferError.Protocol);

        // Our last words are waited for a second, no longer.
        var closing = connection.DisposeAsync().AsTask();
        while (!closing.IsCompleted)
        {
            clock.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }
    }

    [Test]
    public async Task A_silent_server_is_asked_for_a_sign_of_life_and_then_given_up()
    {
        var clock = new ManualTime();
        await using var connection = await SshHarness.ReadyAsync(_server,
            SshHarness.Settings() with { TimeProvider = clock, IdleTimeout = TimeSpan.FromSeconds(10) });
        var (channel, _) = await SshHarness.OpenAsync(connection, _server);
        var asked = _server.ReceiveAsync(MessageNumber.GlobalRequest);
        while (!asked.IsCompleted)
        {
            // The reading task may not have come to its read yet.
            clock.Advance(TimeSpan.FromSeconds(5));
            await Task.Yield();
            if (!connection.IsUsable) break;
        }

        await asked;
        while (connection.IsUsable) clock.Advance(TimeSpan.FromSeconds(10));
        Assert.That((await SshHarness.ReadFailureAsync(channel)).Error, Is.EqualTo(TransferError.Timeout));
    }

    [Test]
    public async Task Closing_says_goodbye_and_fails_what_is_open()
    {
        var connection = await SshHarness.ReadyAsync(_server);
        var (channel, _) = await SshHarness.OpenAsync(connection, _server);
        var reading = channel.Input.ReadAsync().AsTask();
        await connection.DisposeAsync();
        await _server.ReceiveAsync(MessageNumber.Disconnect);
        Assert.That((await SshHarness.FailureOfAsync(reading)).Error, Is.EqualTo(TransferError.Lost));
        Assert.That(connection.Ended.IsCompleted);
    }

    [Test]
    public async Task A_connection_goes_through_the_tunnel_of_another()
    {
        await using var outer = await SshHarness.ReadyAsync(_server);
        using var inner = new ScriptedServer();
        var connecting = SshConnector.ConnectAsync(SshHarness.Settings() with { Host = "inner.example", Through = outer },
            default).AsTask();
        var id = await _server.ConfirmChannelAsync(window: int.MaxValue);
        var relays = RelayAsync(id, inner);
        await inner.LogInAsync();
        await using (var connection = await connecting.WaitAsync(SshHarness.Patience))
        {
            var (channel, innerId) = await SshHarness.OpenAsync(connection, inner);
            await inner.SendAsync(ScriptedServer.Data(innerId, [4, 2]));
            Assert.That(await SshHarness.ReadAsync(channel, 2), Is.EqualTo(new byte[] { 4, 2 }));
        }

        await relays;
    }

    /// <summary>Carries bytes between a channel of the outer server and the inner server's link until the client closes it.</summary>
    private async Task RelayAsync(uint id, ScriptedServer inner)
    {
        var back = Task.Run(async () =>
        {
            var buffer = new byte[8192];
            int count;
            while ((count = await inner.Client.ReadAsync(buffer)) > 0) await _server.SendAsync(ScriptedServer.Data(id, buffer[..count]));
        });
        while (true)
        {
            var message = await _server.ReceiveAsync();
            if (message[0] == MessageNumber.ChannelClose) break;
            if (message[0] == MessageNumber.ChannelData)
                await inner.Client.WriteAsync(new SshReader(message.AsSpan(5)).ReadString().ToArray());
        }

        inner.End();
        await back;
    }

    private static byte[] Adjust(uint id, uint count) =>
        ScriptedServer.OnChannel(MessageNumber.ChannelWindowAdjust, id, w => w.WriteUInt32(count));

    private static byte[] Global(string name, bool wantsReply) => ScriptedServer.Message(MessageNumber.GlobalRequest, w =>
    {
        w.WriteString(name);
        w.WriteBoolean(wantsReply);
    });

    private static async Task EndsAsync(SshConnection connection, TransferError error)
    {
        await connection.Ended.WaitAsync(SshHarness.Patience);
        Assert.That(connection.Failure!.Error, Is.EqualTo(error), connection.Failure.Message);
    }
}
