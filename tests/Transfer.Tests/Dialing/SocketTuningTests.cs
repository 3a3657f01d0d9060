using System.Net;
using System.Net.Sockets;
using Transfer.Dialing;
using Transfer.Sessions;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Dialing;

public sealed class SocketTuningTests
{
    private const int MiB = 1 << 20;

    [Test]
    public async Task Small_writes_leave_at_once_and_dead_peers_are_noticed()
    {
        await using var server = LoopbackServer.Silent();
        var options = new DialOptions { KeepAlive = TimeSpan.FromSeconds(17.2) };
        using var connection = await DialerTests.Dialer(new FakeNetwork(), options).DialAsync("127.0.0.1", server.Port);

        var socket = connection.Socket;
        Assert.That(socket.NoDelay);
        Assert.That(socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive), Is.Not.Zero);
        Assert.That(socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime), Is.EqualTo(18));
        Assert.That(socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval), Is.EqualTo(10));
        Assert.That(socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount), Is.EqualTo(5));
    }

    [Test]
    public async Task Keep_alive_can_be_off()
    {
        await using var server = LoopbackServer.Silent();
        var options = new DialOptions { KeepAlive = null };
        using var connection = await DialerTests.Dialer(new FakeNetwork(), options).DialAsync("127.0.0.1", server.Port);
        Assert.That(connection.Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive), Is.Zero);
    }

    [Test]
    public void Buffers_are_set_before_the_connect_as_the_options_say()
    {
        using var plain = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        plain.SendBufferSize = 50_000;
        plain.ReceiveBufferSize = 60_000;

        var logger = new RecordingLogger();
        var options = new DialOptions { SendBufferSize = 50_000, ReceiveBufferSize = 60_000 };
        using var socket = new SocketTuning(options, NetworkLimits.Current, logger).Create(AddressFamily.InterNetwork, default);

        Assert.That(socket.Connected, Is.False);
        Assert.That(socket.SendBufferSize, Is.EqualTo(plain.SendBufferSize));
        Assert.That(socket.ReceiveBufferSize, Is.EqualTo(plain.ReceiveBufferSize));
        Assert.That(logger.Messages, Has.Some.Contains("send buffer was set").And.Some.Contains("receive buffer was set"));
        Assert.That(logger.Messages, Has.Some.Contains($"{plain.SendBufferSize} bytes now").And.Some.Contains("the options say so"));
    }

    [Test]
    public void A_buffer_is_set_where_the_policy_says_that_it_gives_more()
    {
        using var untouched = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var limits = new NetworkLimits
        {
            Platform = BufferPlatform.Linux,
            Send = new BufferLimits(untouched.SendBufferSize, 128 * MiB),
            Receive = default,
        };
        var logger = new RecordingLogger();
        using var socket = new SocketTuning(new DialOptions(), limits, logger).Create(AddressFamily.InterNetwork, default);

        Assert.That(socket.SendBufferSize, Is.GreaterThan(untouched.SendBufferSize));
        Assert.That(socket.ReceiveBufferSize, Is.EqualTo(untouched.ReceiveBufferSize));
        Assert.That(logger.Messages, Has.Some.Contains("send buffer was set").And.Some.Contains("receive buffer was left to the system"));
    }

    [Test]
    [Platform("Linux")]
    public void What_is_received_into_begins_larger_and_grows_on()
    {
        // SO_BUF_LOCK of SOL_SOCKET and its bit of the receive buffer (linux/socket.h).
        const int SolSocket = 1, SoBufLock = 72, SockRcvbufLock = 2;
        using var untouched = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var limits = NetworkLimits.Current with { Receive = new BufferLimits(long.MaxValue, 4 * MiB) };
        var logger = new RecordingLogger();
        using var socket = new SocketTuning(new DialOptions(), limits, logger).Create(AddressFamily.InterNetwork, LongPath);

        Assert.That(socket.ReceiveBufferSize, Is.GreaterThan(untouched.ReceiveBufferSize));
        var locks = new byte[sizeof(int)];
        socket.GetRawSocketOption(SolSocket, SoBufLock, locks);
        Assert.That(locks[0] & SockRcvbufLock, Is.Zero);
        Assert.That(logger.Messages, Has.Some.Contains("receive buffer was set").And.Some.Contains("autotuning goes on"));
    }

    // The limits read were another namespace's, say: 2 x 16 MiB were promised, and the kernel cuts that to its real maximum.
    [Test]
    public void A_buffer_that_came_out_smaller_than_autotunings_is_given_back_to_autotuning()
    {
        if (NetworkLimits.Current.Send.Settable >= BufferPolicy.Most || NetworkLimits.Current.Receive.Settable >= BufferPolicy.Most)
            Assert.Ignore("This kernel gives all that is ever asked for.");
        using var untouched = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var promised = new BufferLimits(2L * BufferPolicy.Most - 1, int.MaxValue);
        var limits = new NetworkLimits { Platform = BufferPlatform.Linux, Send = promised, Receive = promised };
        var logger = new RecordingLogger();
        using var socket = new SocketTuning(new DialOptions(), limits, logger).Create(AddressFamily.InterNetwork, LongPath);

        Assert.That(socket.SendBufferSize, Is.EqualTo(untouched.SendBufferSize));
        Assert.That(socket.ReceiveBufferSize, Is.EqualTo(untouched.ReceiveBufferSize));
        Assert.That(logger.Messages.Where(m => m.Contains("left to the system", StringComparison.Ordinal)),
            Has.Exactly(2).Items.And.All.Contains("the system gave"));
    }

    [Test]
    public async Task A_connection_comes_from_the_local_end_point()
    {
        await using var server = LoopbackServer.Silent();
        var local = new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0);
        if (!OperatingSystem.IsLinux()) local.Address = IPAddress.Loopback; // only Linux has all of 127.0.0.0/8
        using var first = await DialerTests.Dialer(new FakeNetwork(), new DialOptions { LocalEndPoint = local }).DialAsync("127.0.0.1",
            server.Port);
        Assert.That(((IPEndPoint)first.Socket.LocalEndPoint!).Address, Is.EqualTo(local.Address));
    }

    [Test]
    public async Task A_local_port_can_be_used_again_while_the_last_connection_is_in_time_wait()
    {
        await using var server = new LoopbackServer((stream, ct) => stream.ReadToEndAsync(ct));
        var local = new IPEndPoint(IPAddress.Loopback, DialerTests.FreePort());
        var dialer = DialerTests.Dialer(new FakeNetwork(), new DialOptions { LocalEndPoint = local });
        using (var first = await dialer.DialAsync("127.0.0.1", server.Port))
        {
            // Who closes first is left in TIME_WAIT.
            first.Socket.Shutdown(SocketShutdown.Send);
            Assert.That(await first.Socket.ReceiveAsync(new byte[1]), Is.Zero);
        }

        await using var other = LoopbackServer.Silent();
        using var second = await dialer.DialAsync("127.0.0.1", other.Port);
        Assert.That(second.Socket.LocalEndPoint, Is.EqualTo(local));
        Assert.That(second.Socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress), Is.Not.Zero);
    }

    [Test]
    public void A_local_end_point_that_is_not_ours_is_a_clear_error()
    {
        var options = new DialOptions { LocalEndPoint = new IPEndPoint(IPAddress.Parse("192.0.2.77"), 0) };
        Assert.That(async () => await DialerTests.Dialer(new FakeNetwork(), options).DialAsync("127.0.0.1", 21),
            Throws.TypeOf<TransferConnectionException>().With.Property("Error").EqualTo(TransferError.Lost).And.Message.Contains(
                "192.0.2.77"));
    }

    [Test]
    [Platform("Linux")]
    public async Task A_congestion_control_is_set_by_name()
    {
        await using var server = LoopbackServer.Silent();
        var options = new DialOptions { CongestionControl = CongestionControl.Named("reno") }; // always built in, always allowed
        var logger = new RecordingLogger();
        using var connection = await DialerTests.Dialer(new FakeNetwork(), options, logger).DialAsync("127.0.0.1", server.Port);

        Assert.That(SocketTuning.ReadCongestionControl(connection.Socket), Is.EqualTo("reno"));
        Assert.That(logger.Messages, Has.Some.Contains("congestion control is reno: the options say so"));
    }

    [TestCase("nosuchthing")]
    [TestCase("renorenorenorenoreno")]
    [Platform("Linux")]
    public async Task A_congestion_control_the_system_refuses_fails_the_dial(string name)
    {
        await using var server = LoopbackServer.Silent();
        var options = new DialOptions { CongestionControl = CongestionControl.Named(name) };
        Assert.That(async () => await DialerTests.Dialer(new FakeNetwork(), options).DialAsync("127.0.0.1", server.Port),
            Throws.TypeOf<TransferConnectionException>().With.Property("Error").EqualTo(TransferError.Unsupported).And.Message.Contains(
                name));
    }

    [Test]
    [Platform("Linux")]
    public async Task Auto_sets_bbr_where_it_may_and_else_says_why_not()
    {
        await using var server = LoopbackServer.Silent();
        var logger = new RecordingLogger();
        using var connection = await DialerTests.Dialer(new FakeNetwork(), logger: logger).DialAsync("127.0.0.1", server.Port, LongPath);

        if (NetworkLimits.Current.CongestionControls.Contains("bbr"))
            Assert.That(SocketTuning.ReadCongestionControl(connection.Socket), Is.EqualTo("bbr"));
        else
            Assert.That(logger.Messages, Has.Some.Contains("bbr is not allowed here"));
    }

    [Test]
    [Platform("Linux")]
    public void Auto_that_the_system_refuses_after_all_is_only_logged()
    {
        using var notTcp = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        var logger = new RecordingLogger();
        var limits = NetworkLimits.Current with { CongestionControls = ["bbr"] };
        new SocketTuning(new DialOptions(), limits, logger).ApplyCongestionControl(notTcp, sends: true, TimeSpan.FromMilliseconds(100));
        Assert.That(logger.Messages, Has.Some.Contains("refuses the congestion control bbr"));
    }

    private static DialHints LongPath => new() { RoundTrip = TimeSpan.FromMilliseconds(200), Sends = true };
}
