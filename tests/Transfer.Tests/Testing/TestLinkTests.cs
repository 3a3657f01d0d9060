using System.Net;
using System.Net.Sockets;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

[NonParallelizable]
internal sealed class TestLinkTests
{
    private static readonly TimeSpan Generous = TimeSpan.FromSeconds(10);

    private TcpListener _target = null!;

    [SetUp]
    public void SetUp()
    {
        _target = new TcpListener(IPAddress.Loopback, 0);
        _target.Start();
    }

    [TearDown]
    public void TearDown() => _target.Dispose();

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_new_connection_costs_a_round_trip_and_every_answer_another(bool systemTime)
    {
        var roundTrip = TimeSpan.FromMilliseconds(60);
        await using var link =
            await StartAsync(new() { RoundTrip = roundTrip, TimeProvider = systemTime ? TimeProvider.System : new OtherTime() });
        var start = TimeProvider.System.GetTimestamp();
        using var near = await RawFtp.DialAsync(link.EndPoint);
        var accepting = _target.AcceptSocketAsync();
        await near.SendAsync("ping"u8.ToArray());
        using var far = await accepting.WaitAsync(RawFtp.Patience);
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.GreaterThanOrEqualTo(1.5 * roundTrip),
            "accepted when the handshake's third step arrives");
        await ReceiveAsync(far, 4);
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.GreaterThanOrEqualTo(1.5 * roundTrip));
        await far.SendAsync("pong"u8.ToArray());
        await ReceiveAsync(near, 4);
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(2 * roundTrip, Generous));

        start = TimeProvider.System.GetTimestamp();
        await near.SendAsync("ping"u8.ToArray());
        await ReceiveAsync(far, 4);
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(roundTrip / 2, Generous));
        await far.SendAsync("pong"u8.ToArray());
        await ReceiveAsync(near, 4);
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(roundTrip, Generous));
        Assert.That((link.BytesForward, link.BytesBack, link.Connections), Is.EqualTo((8L, 8L, 1)));
    }

    [Test]
    public async Task Large_contents_cross_whole_in_both_directions_at_once()
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(10) });
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            var forward = FtpTransferTests.Bytes(20_000_000);
            var back = FtpTransferTests.Bytes(20_000_001);
            var sending = Task.WhenAll(SendAllAsync(near, forward), SendAllAsync(far, back));
            var received = await Task.WhenAll(ReceiveAllAsync(far), ReceiveAllAsync(near)).WaitAsync(RawFtp.Patience);
            await sending;
            Same.Bytes(received[0], forward);
            Same.Bytes(received[1], back);
        }

        await Eventually.IsAsync(() => link.Connections, 0);
    }

    [Test]
    public async Task A_delay_does_not_limit_the_rate()
    {
        var roundTrip = TimeSpan.FromMilliseconds(200);
        await using var link = await StartAsync(new() { RoundTrip = roundTrip });
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            var start = TimeProvider.System.GetTimestamp();
            var sending = SendAllAsync(near, new byte[8 << 20]);
            Assert.That(await ReceiveAllAsync(far), Has.Length.EqualTo(8 << 20));
            await sending;

            // One window of 64 KiB a round trip would take 26 s.
            Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(roundTrip / 2, Generous));
        }
    }

    [Test]
    public async Task The_rate_is_shared_by_all_connections()
    {
        await using var link = await StartAsync(new() { BytesPerSecond = 2_000_000 });
        var pairs = new[] { await ConnectAsync(link), await ConnectAsync(link) };
        var start = TimeProvider.System.GetTimestamp();
        await Task.WhenAll(pairs.Select(async pair =>
        {
            var sending = SendAllAsync(pair.Near, new byte[200_000]);
            Assert.That(await ReceiveAllAsync(pair.Far), Has.Length.EqualTo(200_000));
            await sending;
        }));
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(TimeSpan.FromMilliseconds(199), Generous));
        foreach (var (near, far) in pairs)
        {
            near.Dispose();
            far.Dispose();
        }
    }

    [Test]
    public async Task A_sender_is_held_back_when_the_link_is_full()
    {
        await using var link = await StartAsync(new() { BytesPerSecond = 10_000 });
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            near.SendBufferSize = 64 * 1024;
            var sending = SendAllAsync(near, new byte[64 << 20]);
            await Task.Delay(100);
            Assert.That(sending.IsCompleted, Is.False);
            link.CutAll();
            Assert.That(async () => await sending, Throws.InstanceOf<IOException>());
        }
    }

    [Test]
    public async Task A_half_close_is_kept()
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(10) });
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            await near.SendAsync("question"u8.ToArray());
            near.Shutdown(SocketShutdown.Send);
            Assert.That(await ReceiveAllAsync(far), Is.EqualTo("question"u8.ToArray()));
            await far.SendAsync("answer"u8.ToArray());
            far.Shutdown(SocketShutdown.Send);
            Assert.That(await ReceiveAllAsync(near), Is.EqualTo("answer"u8.ToArray()));
        }
    }

    [Test]
    public async Task A_reset_is_carried()
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(10) });
        var (near, far) = await ConnectAsync(link);
        using (near)
        {
            far.LingerState = new LingerOption(true, 0);
            far.Dispose();
            Assert.That(async () => await ReceiveAsync(near, 1), Throws.InstanceOf<SocketException>());
        }

        await Eventually.IsAsync(() => link.Connections, 0);
    }

    [Test]
    public async Task A_sender_learns_that_the_receiver_has_gone()
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(10) });
        var (near, far) = await ConnectAsync(link);
        using (near)
        {
            far.Dispose();
            Assert.That(await ReceiveAllAsync(near), Is.Empty);
            Assert.That(async () => { while (true) await near.SendAsync(new byte[1000]).WaitAsync(RawFtp.Patience); },
                Throws.InstanceOf<SocketException>());
        }

        await Eventually.IsAsync(() => link.Connections, 0);
    }

    [Test]
    public async Task A_target_that_refuses_resets()
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(20) });
        _target.Stop();
        using var near = await RawFtp.DialAsync(link.EndPoint);
        Assert.That(async () => await ReceiveAsync(near, 1), Throws.InstanceOf<SocketException>());
    }

    [Test]
    public async Task Disposing_does_not_fail_while_a_refusal_is_on_its_way_back()
    {
        var time = new ManualTime();
        var link = await StartAsync(new() { RoundTrip = TimeSpan.FromSeconds(2), TimeProvider = time });
        _target.Stop();
        using var near = await RawFtp.DialAsync(link.EndPoint);
        await Eventually.IsAsync(() => time.ArmedTimers, 1);
        time.Advance(TimeSpan.FromSeconds(3)); // the handshake, to its third step
        await Eventually.IsAsync(() => time.ArmedTimers, 1);
        await link.DisposeAsync().AsTask().WaitAsync(RawFtp.Patience);
        Assert.That(async () => await ReceiveAsync(near, 1), Throws.InstanceOf<SocketException>());
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(100_000)]
    public async Task A_cut_comes_exactly_after_its_byte(int bytes)
    {
        await using var link = await StartAsync(new() { RoundTrip = TimeSpan.FromMilliseconds(2) });
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            await near.SendAsync("before"u8.ToArray());
            await ReceiveAsync(far, 6);
            link.CutAfter(bytes, LinkDirection.Forward);
            Assert.That(async () => { while (true) await near.SendAsync(new byte[100_000]).WaitAsync(RawFtp.Patience); },
                Throws.InstanceOf<SocketException>());
            Assert.That(link.BytesForward, Is.EqualTo(6 + bytes));
        }

        var (again, there) = await ConnectAsync(link);
        using (again)
        using (there)
        {
            await again.SendAsync(new byte[1000]);
            await ReceiveAsync(there, 1000);
        }
    }

    [Test]
    public async Task A_stall_holds_everything_and_loses_nothing()
    {
        await using var link = await StartAsync(new());
        var (near, far) = await ConnectAsync(link);
        using (near)
        using (far)
        {
            link.Stall(true);
            await near.SendAsync("held"u8.ToArray());
            var receiving = ReceiveAsync(far, 4);
            await Task.Delay(50);
            Assert.That(receiving.IsCompleted, Is.False);
            link.Stall(false);
            Assert.That(await receiving, Is.EqualTo("held"u8.ToArray()));
        }
    }

    [Test]
    public async Task Disposing_resets_connections_and_stops_listening()
    {
        var link = await StartAsync(new() { RoundTrip = TimeSpan.FromSeconds(60) });
        using var near = await RawFtp.DialAsync(link.EndPoint);
        await near.SendAsync("never to arrive"u8.ToArray());
        await Eventually.IsAsync(() => link.Connections, 1);
        await link.DisposeAsync().AsTask().WaitAsync(RawFtp.Patience);
        await link.DisposeAsync();
        Assert.That(async () => await ReceiveAsync(near, 1), Throws.InstanceOf<SocketException>());
        Assert.That(async () => await RawFtp.DialAsync(link.EndPoint), Throws.InstanceOf<SocketException>());
    }

    [Test]
    public async Task A_server_behind_a_link_delays_control_and_data()
    {
        var roundTrip = TimeSpan.FromMilliseconds(40);
        var server = await FtpTestServer.StartAsync(new() { Link = new() { RoundTrip = roundTrip } });
        await using (var client = await RawFtp.LogInAsync(server))
        {
            var start = TimeProvider.System.GetTimestamp();
            Assert.That(await client.CommandAsync("NOOP"), Does.StartWith("200"));
            Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(roundTrip, Generous));
            start = TimeProvider.System.GetTimestamp();
            Assert.That(await client.StoreAsync("STOR a", "x"u8.ToArray()), Does.StartWith("226"));

            // EPSV, then STOR with its 150, then what is sent after that with its 226.
            Assert.That(TimeProvider.System.GetElapsedTime(start), Is.InRange(3 * roundTrip, Generous));
            Assert.That(server.Link!.BytesForward, Is.GreaterThan(0));
        }

        await server.DisposeAsync();
        Assert.That(async () => await RawFtp.DialAsync(server.EndPoint), Throws.InstanceOf<SocketException>());
        Assert.That(server.Link!.Connections, Is.Zero);
    }

    [Test]
    public void Options_are_checked()
    {
        Assert.That(async () => await StartAsync(new() { RoundTrip = TimeSpan.FromTicks(-1) }),
            Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(async () => await StartAsync(new() { BytesPerSecond = 0 }), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    private Task<TestLink> StartAsync(LinkOptions options) => TestLink.StartAsync(_target.LocalEndpoint, options);

    private async Task<(Socket Near, Socket Far)> ConnectAsync(TestLink link)
    {
        var accepting = _target.AcceptSocketAsync();
        var near = await RawFtp.DialAsync(link.EndPoint);
        return (near, await accepting.WaitAsync(RawFtp.Patience));
    }

    private static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        var bytes = new byte[count];
        for (var at = 0; at < count;)
        {
            var received = await socket.ReceiveAsync(bytes.AsMemory(at)).AsTask().WaitAsync(RawFtp.Patience);
            if (received == 0) throw new EndOfStreamException();
            at += received;
        }

        return bytes;
    }

    private static async Task<byte[]> ReceiveAllAsync(Socket socket)
    {
        using var all = new MemoryStream();
        var chunk = new byte[64 * 1024];
        while (await socket.ReceiveAsync(chunk).WaitAsync(RawFtp.Patience) is > 0 and var count) all.Write(chunk, 0, count);
        return all.ToArray();
    }

    private static async Task SendAllAsync(Socket socket, byte[] bytes)
    {
        await new NetworkStream(socket).WriteAsync(bytes);
        socket.Shutdown(SocketShutdown.Send);
    }

    /// <summary>As good as the system's, but another: the link's own timer is for the system's only.</summary>
    private sealed class OtherTime : TimeProvider;
}
