using System.Net.Sockets;
using Transfer.Dialing;
using Transfer.Sessions;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Dialing;

public sealed class Socks5ProxyTests
{
    private static readonly byte[] NoLogin = [5, 0];
    private static readonly byte[] Greeting = "220 hello\r\n"u8.ToArray();
    private static readonly byte[] BoundV4 = [5, 0, 0, 1, 192, 0, 2, 9, 0x10, 0x20];

    [Test]
    public async Task What_follows_the_reply_belongs_to_the_tunnel(
        [Values(1, 3, int.MaxValue)] int pieceSize, [Values("v4", "v6", "name", "empty name")] string bound)
    {
        byte[] reply = bound switch
        {
            "v4" => BoundV4,
            "v6" => [5, 0, 0, 4, .. new byte[16], 0, 0],
            "name" => [5, 0, 0, 3, 5, .. "proxy"u8, 0x10, 0x20],
            _ => [5, 0, 0, 3, 0, 0, 0],
        };
        byte[] greeting = [], request = [];
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            greeting = await stream.ReadAsync(3, ct);
            await stream.WriteAsync(NoLogin, pieceSize, ct);
            request = await stream.ReadAsync(5 + 11 + 2, ct);
            await stream.WriteAsync([.. reply, .. Greeting], pieceSize, ct);
            await stream.ReadToEndAsync(ct);
        });
        var network = new FakeNetwork();
        using var connection = await DialAsync(proxy, network: network);

        Assert.That(await ReceiveAsync(connection, Greeting.Length), Is.EqualTo(Greeting));
        Assert.That(greeting, Is.EqualTo(new byte[] { 5, 1, 0 }));
        Assert.That(request, Is.EqualTo((byte[])[5, 1, 0, 3, 11, .. "ftp.example"u8, 0, 21]));
        Assert.That(network.Lookups, Is.Zero, "the proxy resolves the name");
        Assert.That(connection.RoundTrip, Is.Null);
    }

    [TestCase("192.0.2.1", new byte[] { 5, 1, 0, 1, 192, 0, 2, 1, 0x84, 0x01 })]
    [TestCase("2001:db8::1", new byte[] { 5, 1, 0, 4, 0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x84, 0x01 })]
    [TestCase("a.b", new byte[] { 5, 1, 0, 3, 3, (byte)'a', (byte)'.', (byte)'b', 0x84, 0x01 })]
    public void Addresses_are_sent_as_such_and_names_as_names(string host, byte[] expected) =>
        Assert.That(Socks5Message.CreateConnect(DialTarget.Parse(host, 0x8401)), Is.EqualTo(expected));

    [Test]
    public void The_longest_name_just_fits()
    {
        var message = Socks5Message.CreateConnect(DialTarget.Parse(new string('a', 255), 21));
        Assert.That(message[4], Is.EqualTo(255));
        Assert.That(message, Has.Length.EqualTo(5 + 255 + 2));
    }

    [Test]
    public async Task A_log_in_is_sent_when_the_proxy_wants_one([Values(1, 5)] byte loginVersionInReply)
    {
        byte[] greeting = [], login = [];
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            greeting = await stream.ReadAsync(4, ct);
            await stream.WriteAsync(new byte[] { 5, 2 }, ct);
            login = await stream.ReadAsync(13, ct);
            await stream.WriteAsync(new byte[] { loginVersionInReply, 0 }, ct);
            await stream.ReadAsync(18, ct);
            await stream.WriteAsync(BoundV4, ct);
            await stream.ReadToEndAsync(ct);
        });
        using var connection = await DialAsync(proxy, new TransferCredential("user", "sécre"));

        Assert.That(greeting, Is.EqualTo(new byte[] { 5, 2, 0, 2 }));
        Assert.That(login, Is.EqualTo((byte[])[1, 4, .. "user"u8, 6, .. "sécre"u8]));
    }

    [Test]
    public async Task A_log_in_is_not_sent_when_the_proxy_wants_none()
    {
        await using var proxy = Scripted((4, NoLogin), (18, BoundV4));
        using var connection = await DialAsync(proxy, new TransferCredential("user", "sesame"));
        Assert.That(connection.Socket.Connected);
    }

    [Test]
    public async Task A_refused_log_in_is_one()
    {
        await using var proxy = Scripted((4, [5, 2]), (13, [1, 1]));
        var error = await FailsAsync(proxy, new TransferCredential("user", "sesame"));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.ToString(), Does.Not.Contain("sesame"));
    }

    [Test]
    public async Task A_proxy_that_wants_a_log_in_we_do_not_have_says_so()
    {
        await using var proxy = Scripted((3, [5, 0xFF]));
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Auth));
    }

    [TestCase(1, TransferError.Lost)]
    [TestCase(2, TransferError.Denied)]
    [TestCase(3, TransferError.Lost)]
    [TestCase(4, TransferError.Lost)]
    [TestCase(5, TransferError.Lost)]
    [TestCase(6, TransferError.Lost)]
    [TestCase(7, TransferError.Unsupported)]
    [TestCase(8, TransferError.Unsupported)]
    [TestCase(9, TransferError.Protocol)]
    [TestCase(255, TransferError.Protocol)]
    public async Task Every_reply_code_has_its_error(byte code, TransferError expected)
    {
        await using var proxy = Scripted((3, NoLogin), (18, [5, code])); // and nothing more: some close here
        var error = await FailsAsync(proxy);
        Assert.That(error.Error, Is.EqualTo(expected));
        Assert.That(error.Message, Does.Contain($"SOCKS reply {code}").And.Contain($"127.0.0.1:{proxy.Port}"));
    }

    [TestCase(new byte[] { 4, 0 })]
    [TestCase(new byte[] { (byte)'H', (byte)'T' })]
    [TestCase(new byte[] { 5, 2 })] // not offered: there is no log-in
    [TestCase(new byte[] { 5, 1 })]
    public async Task A_choice_that_makes_no_sense_is_a_protocol_error(byte[] choice)
    {
        await using var proxy = Scripted((3, choice));
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [TestCase(new byte[] { 4, 0, 0, 1 })]
    [TestCase(new byte[] { 5, 0, 0, 2 })]
    public async Task A_reply_that_makes_no_sense_is_a_protocol_error(byte[] reply)
    {
        await using var proxy = Scripted((3, NoLogin), (18, reply));
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task A_proxy_that_goes_away_at_any_byte_is_a_lost_connection([Range(0, 11)] int bytes)
    {
        byte[] all = [.. NoLogin, .. BoundV4];
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadAsync(3, ct);
            await stream.WriteAsync(all.AsMemory(0, Math.Min(bytes, 2)), ct);
            if (bytes < 2) return;
            await stream.ReadAsync(18, ct);
            await stream.WriteAsync(all.AsMemory(2..bytes), ct);
        });
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public void Fields_of_255_bytes_and_an_empty_password_are_sent()
    {
        Assert.That(Socks5Message.CreateLogin(new TransferCredential(new string('x', 255), new string('y', 255))), Has.Length.EqualTo(513));
        Assert.That(Socks5Message.CreateLogin(new TransferCredential("u", "")), Is.EqualTo(new byte[] { 1, 1, (byte)'u', 0 }));
    }

    [Test]
    public async Task Arbitrary_bytes_give_a_connection_or_an_error([Range(1, 5)] int seed, [Values] ProxyKind kind)
    {
        var random = new Random(seed);
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            var junk = new byte[60];
            lock (random) random.NextBytes(junk);

            // Right beginnings, so that the junk gets further than the first check.
            byte[] start = kind == ProxyKind.Socks5 ? [.. NoLogin, 5, 0, 0] : "HTTP/1.1 200\r\n"u8.ToArray();
            await stream.WriteAsync((byte[])[.. start.AsSpan(0, junk[0] % (start.Length + 1)), .. junk], ct);
            stream.Socket.Shutdown(SocketShutdown.Send);
            await stream.ReadToEndAsync(ct);
        });
        var options = new DialOptions { Proxy = new ProxyOptions { Kind = kind, Host = "127.0.0.1", Port = proxy.Port } };
        var outcomes = new HashSet<TransferError?>();
        for (var i = 0; i < 40; i++)
        {
            try
            {
                (await DialerTests.Dialer(new FakeNetwork(), options).DialAsync("ftp.example", 21).AsTask().WaitAsync(Eventually.Hang))
                    .Dispose();
                outcomes.Add(null);
            }
            catch (TransferConnectionException e)
            {
                outcomes.Add(e.Error);
            }
        }
        Assert.That(outcomes, Is.SubsetOf(new TransferError?[] { null, TransferError.Protocol, TransferError.Lost, TransferError.Auth }));
        Assert.That(outcomes, Does.Contain(TransferError.Protocol).Or.Contain(TransferError.Lost));
    }

    [Test]
    public async Task The_time_out_covers_the_handshake()
    {
        var asked = new TaskCompletionSource();
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadAsync(3, ct);
            asked.SetResult();
            await stream.ReadToEndAsync(ct);
        });
        var clock = new ManualTime();
        var dial = DialAsync(proxy, clock: clock).AsTask();
        await asked.Task.WaitAsync(Eventually.Hang);
        clock.Advance(TimeSpan.FromSeconds(15));
        Assert.That(async () => await dial.WaitAsync(Eventually.Hang),
            Throws.TypeOf<TransferConnectionException>().With.Property("Error").EqualTo(TransferError.Timeout));
    }

    private static LoopbackServer Scripted(params (int Read, byte[] Write)[] steps) => new(async (stream, ct) =>
    {
        foreach (var (read, write) in steps)
        {
            await stream.ReadAsync(read, ct);
            await stream.WriteAsync(write, ct);
        }
        stream.Socket.Shutdown(SocketShutdown.Send);
        await stream.ReadToEndAsync(ct);
    });

    private static ValueTask<DialedConnection> DialAsync(
        LoopbackServer proxy, TransferCredential? credential = null, FakeNetwork? network = null, ManualTime? clock = null)
    {
        var options = new DialOptions
        {
            Proxy = new ProxyOptions { Kind = ProxyKind.Socks5, Host = "127.0.0.1", Port = proxy.Port, Credential = credential },
        };
        return DialerTests.Dialer(network ?? new FakeNetwork(), options, time: clock).DialAsync("ftp.example", 21);
    }

    private static async Task<TransferConnectionException> FailsAsync(LoopbackServer proxy, TransferCredential? credential = null) =>
        (await Assert.ThrowsAsync<TransferConnectionException>(async () => (await DialAsync(proxy, credential)).Dispose()))!;

    private static async Task<byte[]> ReceiveAsync(DialedConnection connection, int count)
    {
        await using var stream = new NetworkStream(connection.Socket, ownsSocket: false);
        return await stream.ReadAsync(count, CancellationToken.None).WaitAsync(Eventually.Hang);
    }
}
