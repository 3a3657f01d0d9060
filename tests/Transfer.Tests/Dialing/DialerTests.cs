using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Dialing;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Dialing;

public sealed class DialerTests
{
    private static readonly IPAddress[] Both = [IPAddress.IPv6Loopback, IPAddress.Loopback];

    [Test]
    public async Task A_literal_never_reaches_the_resolver()
    {
        await using var server = LoopbackServer.Silent();
        var network = new FakeNetwork();
        using var connection = await Dialer(network).DialAsync("127.0.0.1", server.Port);

        Assert.That(network.Lookups, Is.Zero);
        Assert.That(connection.RemoteEndPoint, Is.EqualTo(new IPEndPoint(IPAddress.Loopback, server.Port)));
    }

    [Test]
    public async Task A_connection_that_is_reset_as_soon_as_it_is_made_is_lost()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var network = new FakeNetwork
        {
            Connect = async (socket, endPoint, ct) =>
            {
                await socket.ConnectAsync(endPoint, ct);
                using (var accepted = await listener.AcceptSocketAsync(ct)) accepted.LingerState = new LingerOption(true, 0);
                Assert.That(socket.Poll(TimeSpan.FromSeconds(20), SelectMode.SelectRead));
            },
        };

        var error = (await Assert.CatchAsync<TransferConnectionException>(
            async () => await Dialer(network).DialAsync("127.0.0.1", ((IPEndPoint)listener.LocalEndpoint).Port)))!;

        Assert.That((error.Error, error.IsTransient), Is.EqualTo((TransferError.Lost, true)));
    }

    [Test]
    public async Task A_name_is_looked_up_once()
    {
        await using var server = LoopbackServer.Silent();
        var network = Resolving(IPAddress.Loopback);
        using var connection = await Dialer(network).DialAsync("files.example", server.Port);

        Assert.That(network.Lookups, Is.EqualTo(1));
        Assert.That(connection.Socket.Connected);
    }

    [Test]
    public async Task The_systems_resolver_knows_localhost()
    {
        await using var server = LoopbackServer.Silent();
        using var connection = await new Dialer(new DialOptions(), NullLogger.Instance, TimeProvider.System).DialAsync("localhost",
            server.Port);
        Assert.That(connection.RemoteEndPoint!.Port, Is.EqualTo(server.Port));
    }

    [Test]
    public async Task A_name_with_both_families_is_reached_where_only_IPv4_listens()
    {
        await using var server = LoopbackServer.Silent(IPAddress.Loopback);
        using var connection = await Dialer(Resolving(Both)).DialAsync("localhost", server.Port);
        Assert.That(connection.RemoteEndPoint!.Address, Is.EqualTo(IPAddress.Loopback));
    }

    [Test]
    public async Task A_name_with_both_families_is_reached_where_only_IPv6_listens()
    {
        await using var server = SilentOnIPv6();
        using var connection = await Dialer(Resolving([.. Both.Reverse()])).DialAsync("localhost", server.Port);
        Assert.That(connection.RemoteEndPoint!.Address, Is.EqualTo(IPAddress.IPv6Loopback));
    }

    [Test]
    public async Task An_IPv6_literal_is_reached_with_and_without_brackets([Values("::1", "[::1]")] string host)
    {
        await using var server = SilentOnIPv6();
        using var connection = await Dialer(new FakeNetwork()).DialAsync(host, server.Port);
        Assert.That(connection.RemoteEndPoint!.Address, Is.EqualTo(IPAddress.IPv6Loopback));
    }

    [Test]
    public async Task An_address_that_does_not_answer_costs_the_delay_only()
    {
        await using var server = LoopbackServer.Silent();
        var clock = new ManualTime();
        var deaf = IPAddress.Parse("192.0.2.1");
        var network = new FakeNetwork
        {
            Resolve = (_, _) => Task.FromResult(new[] { deaf, IPAddress.Loopback }),
            Connect = (socket, to, ct) => to.Address.Equals(deaf) ? FakeNetwork.BlackHole(socket, to, ct) : socket.ConnectAsync(to, ct),
        };
        var options = new DialOptions();
        var dial = Dialer(network, options, time: clock).DialAsync("files.example", server.Port).AsTask();
        await Eventually.TrueAsync(() => clock.ArmedTimers == 2, "time-out and pause run");
        clock.Advance(options.ConnectionAttemptDelay);

        using var connection = await dial.WaitAsync(Eventually.Hang);
        Assert.That(connection.RemoteEndPoint!.Address, Is.EqualTo(IPAddress.Loopback));
    }

    [Test]
    public async Task The_round_trip_is_what_the_kernel_measured_or_the_time_the_connect_took()
    {
        await using var server = LoopbackServer.Silent();
        var clock = new ManualTime();
        var network = new FakeNetwork
        {
            Connect = async (socket, to, ct) =>
            {
                clock.Advance(TimeSpan.FromMilliseconds(42));
                await socket.ConnectAsync(to, ct);
            },
        };
        using var connection = await Dialer(network, time: clock).DialAsync("127.0.0.1", server.Port);
        if (OperatingSystem.IsLinux())
            Assert.That(connection.RoundTrip, Is.GreaterThan(TimeSpan.Zero).And.LessThan(TimeSpan.FromMilliseconds(42)));
        else Assert.That(connection.RoundTrip, Is.EqualTo(TimeSpan.FromMilliseconds(42)));
    }

    [Test]
    public async Task A_refused_port_is_a_lost_connection_that_names_host_port_and_reason()
    {
        var port = FreePort();
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            async () => await Dialer(Resolving(Both)).DialAsync("files.example", port));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(error.IsTransient);
        Assert.That(error.Message, Does.Contain($"files.example:{port}").And.Contain("::1: ").And.Contain("127.0.0.1: "));
        Assert.That(error.InnerException, Is.InstanceOf<SocketException>());
    }

    [TestCase(SocketError.HostNotFound, false)]
    [TestCase(SocketError.NoData, false)]
    [TestCase(SocketError.TryAgain, true)]
    public async Task A_name_that_is_not_found_is_a_lost_connection(SocketError reason, bool transient)
    {
        var network = new FakeNetwork { Resolve = (_, _) => Task.FromException<IPAddress[]>(new SocketException((int)reason)) };
        var error =
            await Assert.ThrowsAsync<TransferConnectionException>(async () => await Dialer(network).DialAsync("nowhere.example", 21));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(error.IsTransient, Is.EqualTo(transient));
        Assert.That(error.Message, Does.Contain("nowhere.example:21").And.Contain("could not be resolved"));
    }

    [Test]
    public async Task The_family_that_is_asked_for_is_the_one_looked_up_and_tried()
    {
        var asked = AddressFamily.Unknown;
        var network = new FakeNetwork
        {
            Resolve = (_, family) =>
            {
                asked = family;
                return Task.FromResult(new[] { IPAddress.Loopback });
            },
        };
        var options = new DialOptions { AddressFamily = AddressFamily.InterNetworkV6 };
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            async () => await Dialer(network, options).DialAsync("files.example", 21));
        Assert.That(asked, Is.EqualTo(AddressFamily.InterNetworkV6));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(error.Message, Does.Contain("InterNetworkV6"));
    }

    [Test]
    public void A_local_end_point_decides_the_family()
    {
        var options = new DialOptions { LocalEndPoint = new IPEndPoint(IPAddress.Loopback, 0) };
        Assert.That(async () => await Dialer(new FakeNetwork(), options).DialAsync("::1", 21),
            Throws.TypeOf<TransferConnectionException>().With.Message.Contains("InterNetwork"));
    }

    [Test]
    public async Task The_time_out_covers_a_connect_that_is_never_answered()
    {
        var clock = new ManualTime();
        var network = new FakeNetwork { Connect = FakeNetwork.BlackHole };
        var dial = Dialer(network, new DialOptions { ConnectTimeout = TimeSpan.FromSeconds(7) }, time: clock).DialAsync("192.0.2.1",
            21).AsTask();
        clock.Advance(TimeSpan.FromSeconds(7));

        var error = await Assert.ThrowsAsync<TransferConnectionException>(async () => await dial.WaitAsync(Eventually.Hang));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(error.Message, Does.Contain("192.0.2.1:21").And.Contain("7 s"));
        Assert.That(clock.ArmedTimers, Is.Zero);
    }

    [Test]
    public async Task The_time_out_covers_a_resolver_that_cannot_be_interrupted()
    {
        var clock = new ManualTime();
        var answer = new TaskCompletionSource<IPAddress[]>();
        var options = new DialOptions { ConnectTimeout = TimeSpan.FromSeconds(7) };
        var dial = Dialer(new FakeNetwork { Resolve = (_, _) => answer.Task }, options, time: clock).DialAsync("files.example",
            21).AsTask();
        clock.Advance(TimeSpan.FromSeconds(7));

        Assert.That(async () => await dial.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>()
            .With.Property("Error").EqualTo(TransferError.Timeout).And.Message.Contains("looked up"));
        answer.SetException(new SocketException((int)SocketError.TryAgain));
    }

    [Test]
    public async Task The_time_outs_message_tells_of_the_addresses_that_had_failed()
    {
        var clock = new ManualTime();
        var refusing = IPAddress.Parse("192.0.2.1");
        var network = new FakeNetwork
        {
            Resolve = (_, _) => Task.FromResult(new[] { refusing, IPAddress.Parse("192.0.2.2") }),
            Connect = (socket, to, ct) => to.Address.Equals(refusing)
                ? ValueTask.FromException(new SocketException((int)SocketError.ConnectionRefused))
                : FakeNetwork.BlackHole(socket, to, ct),
        };
        var options = new DialOptions();
        var logger = new RecordingLogger();
        var dial = Dialer(network, options, logger, clock).DialAsync("files.example", 21).AsTask();
        await Eventually.TrueAsync(() => logger.Messages.Any(m => m.Contains("192.0.2.1:21", StringComparison.Ordinal)), "the first fails");
        await Eventually.TrueAsync(() => clock.ArmedTimers >= 2, "the second is tried");
        clock.Advance(options.ConnectTimeout);

        Assert.That(async () => await dial.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>()
            .With.Property("Error").EqualTo(TransferError.Timeout).And.Message.Contains("192.0.2.1: "));
    }

    [Test]
    public async Task The_callers_cancellation_is_the_callers()
    {
        using var stop = new CancellationTokenSource();
        var dial = Dialer(new FakeNetwork { Connect = FakeNetwork.BlackHole }).DialAsync("192.0.2.1", 21, default, stop.Token).AsTask();
        await stop.CancelAsync();
        Assert.That(async () => await dial.WaitAsync(Eventually.Hang),
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(stop.Token));
    }

    [Test]
    public void A_dial_that_was_cancelled_before_does_nothing()
    {
        using var stop = new CancellationTokenSource();
        stop.Cancel();
        var network = Resolving(IPAddress.Loopback);
        Assert.That(async () => await Dialer(network).DialAsync("files.example", 21, default, stop.Token),
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(stop.Token));
        Assert.That(network.Lookups, Is.Zero);
    }

    [TestCase("files\r\n.example")]
    [TestCase("")]
    public void A_host_that_is_none_is_refused_before_anything_happens(string host)
    {
        var network = Resolving(IPAddress.Loopback);
        Assert.That(async () => await Dialer(network).DialAsync(host, 21), Throws.InstanceOf<ArgumentException>());
        Assert.That(network.Lookups, Is.Zero);
    }

    internal static Dialer Dialer(
        FakeNetwork network, DialOptions? options = null, RecordingLogger? logger = null, TimeProvider? time = null) =>
        new(options ?? new DialOptions(), logger ?? new RecordingLogger(), time ?? TimeProvider.System, network, NetworkLimits.Current);

    private static FakeNetwork Resolving(params IPAddress[] addresses) => new() { Resolve = (_, _) => Task.FromResult(addresses) };

    private static LoopbackServer SilentOnIPv6()
    {
        try
        {
            return LoopbackServer.Silent(IPAddress.IPv6Loopback);
        }
        catch (SocketException e)
        {
            Assert.Ignore($"This machine has no IPv6 loopback: {e.Message}");
            throw;
        }
    }

    internal static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
