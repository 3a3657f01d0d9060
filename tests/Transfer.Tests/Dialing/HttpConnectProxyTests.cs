using System.Net.Sockets;
using System.Text;
using Transfer.Dialing;
using Transfer.Sessions;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Dialing;

public sealed class HttpConnectProxyTests
{
    private const string Established = "HTTP/1.1 200 Connection established\r\nProxy-Agent: test\r\n\r\n";
    private const string Greeting = "220 hello\r\n";

    [TestCase(1)]
    [TestCase(3)]
    [TestCase(16)]
    [TestCase(int.MaxValue)]
    public async Task What_follows_the_reply_belongs_to_the_tunnel_however_it_is_split(int pieceSize)
    {
        var request = string.Empty;
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            request = await stream.ReadHeaderAsync(ct);
            await stream.WriteAsync(Encoding.ASCII.GetBytes(Established + Greeting), pieceSize, ct);
            await stream.ReadToEndAsync(ct);
        });
        var network = new FakeNetwork();
        using var connection = await DialAsync(proxy, network: network);

        Assert.That(await ReceiveAsync(connection, Greeting.Length), Is.EqualTo(Greeting));
        Assert.That(request, Is.EqualTo("CONNECT ftp.example:21 HTTP/1.1\r\nHost: ftp.example:21\r\n\r\n"));
        Assert.That(network.Lookups, Is.Zero, "the proxy resolves the name");
        Assert.That(connection.RoundTrip, Is.Null);
        Assert.That(connection.RemoteEndPoint!.Port, Is.EqualTo(proxy.Port));
    }

    [Test]
    public async Task Bytes_go_both_ways_through_the_tunnel()
    {
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadHeaderAsync(ct);
            await stream.WriteAsync(Encoding.ASCII.GetBytes(Established), ct);
            await stream.WriteAsync(await stream.ReadAsync(5, ct), ct);
        });
        using var connection = await DialAsync(proxy);
        await connection.Socket.SendAsync("12345"u8.ToArray());
        Assert.That(await ReceiveAsync(connection, 5), Is.EqualTo("12345"));
    }

    [Test]
    public async Task An_interim_reply_is_not_the_answer()
    {
        await using var proxy = Answering("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + Established + Greeting);
        using var connection = await DialAsync(proxy);
        Assert.That(await ReceiveAsync(connection, Greeting.Length), Is.EqualTo(Greeting));
    }

    [TestCase("2001:db8::1", "[2001:db8::1]:21")]
    [TestCase("192.0.2.1", "192.0.2.1:21")]
    [TestCase("bücher.example", "xn--bcher-kva.example:21")]
    public void The_target_is_an_authority(string host, string authority) =>
        Assert.That(Request(host, null), Is.EqualTo($"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n"));

    [Test]
    public void The_log_in_is_Basic_and_in_UTF_8() =>
        Assert.That(Request("h", new TransferCredential("user", "pä:ss")), Does.Contain(
            $"\r\nProxy-Authorization: Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes("user:pä:ss"))}\r\n"));

    [TestCase("us\r\ner", "sesame")]
    [TestCase("user", "ses\name")]
    [TestCase("us:er", "sesame")]
    public async Task A_log_in_that_cannot_be_expressed_is_refused_before_anything_is_sent(string user, string password)
    {
        var options = Options(1) with { Proxy = Options(1).Proxy! with { Credential = new TransferCredential(user, password) } };
        var network = new FakeNetwork { Connect = (_, _, _) => throw new InvalidOperationException("It connected.") };
        var error =
            await Assert.CatchAsync<ArgumentException>(async () => await DialerTests.Dialer(network, options).DialAsync("ftp.example", 21));
        Assert.That(error!.ToString(), Does.Not.Contain("sesame"));
    }

    [TestCase("407 Proxy Authentication Required", TransferError.Auth, false)]
    [TestCase("403 Forbidden", TransferError.Lost, false)]
    [TestCase("502 Bad Gateway", TransferError.Lost, true)]
    [TestCase("503 Service Unavailable", TransferError.Lost, true)]
    [TestCase("302 Found", TransferError.Lost, false)]
    [TestCase("101 Switching Protocols", TransferError.Lost, false)]
    public async Task A_refusal_says_its_code(string status, TransferError expected, bool transient)
    {
        await using var proxy = Answering($"HTTP/1.1 {status}\r\nContent-Length: 3\r\n\r\nno!");
        var error = await FailsAsync(proxy);
        Assert.That(error.Error, Is.EqualTo(expected));
        Assert.That(error.IsTransient, Is.EqualTo(transient));
        Assert.That(error.Message, Does.Contain(status[..3]).And.Contain($"127.0.0.1:{proxy.Port}"));
        Assert.That(error.ServerCode, Is.Null, "not the server's code: an HTTP 421 is no FTP 421");
    }

    [TestCase("220 FTP server ready\r\n\r\n")]
    [TestCase("\r\n\r\n")]
    [TestCase("SSH-2.0-x\n\n")]
    public async Task What_is_not_HTTP_is_a_protocol_error(string answer)
    {
        await using var proxy = Answering(answer);
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task Headers_without_end_are_given_up()
    {
        await using var proxy = Answering("HTTP/1.1 200 OK\r\nX: " + new string('x', 2 * HttpConnectProxy.MaxHeader));
        var error = await FailsAsync(proxy);
        Assert.That(error.Error, Is.EqualTo(TransferError.Protocol));
        Assert.That(error.Message, Does.Contain("16384"));
    }

    [Test]
    public async Task Interim_replies_without_end_are_given_up()
    {
        await using var proxy = Answering(string.Concat(Enumerable.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1000)));
        Assert.That((await FailsAsync(proxy)).Error, Is.EqualTo(TransferError.Protocol));
    }

    [Test]
    public async Task A_proxy_that_goes_away_is_a_lost_connection([Values("", "HTTP/1.1 200 OK\r\n")] string answer)
    {
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadHeaderAsync(ct);
            await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), ct);
        });
        var error = await FailsAsync(proxy);
        Assert.That(error.Error, Is.EqualTo(TransferError.Lost));
        Assert.That(error.Message, Does.Contain("proxy"));
    }

    [Test]
    public async Task The_time_out_covers_the_handshake_and_the_connection_is_closed()
    {
        var asked = new TaskCompletionSource();
        var closed = new TaskCompletionSource();
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadHeaderAsync(ct);
            asked.SetResult();
            await stream.ReadToEndAsync(ct);
            closed.SetResult();
        });
        var clock = new ManualTime();
        var dial = DialAsync(proxy, clock: clock).AsTask();
        await asked.Task.WaitAsync(Eventually.Hang);
        clock.Advance(TimeSpan.FromSeconds(15));

        Assert.That(async () => await dial.WaitAsync(Eventually.Hang), Throws.TypeOf<TransferConnectionException>()
            .With.Property("Error").EqualTo(TransferError.Timeout).And.Message.Contains("ftp.example:21 through the proxy"));
        await closed.Task.WaitAsync(Eventually.Hang);
    }

    [Test]
    public async Task Cancellation_ends_the_handshake()
    {
        var asked = new TaskCompletionSource();
        await using var proxy = new LoopbackServer(async (stream, ct) =>
        {
            await stream.ReadHeaderAsync(ct);
            asked.SetResult();
            await stream.ReadToEndAsync(ct);
        });
        using var stop = new CancellationTokenSource();
        var dial = DialerTests.Dialer(new FakeNetwork(), Options(proxy.Port)).DialAsync("ftp.example", 21, default, stop.Token).AsTask();
        await asked.Task.WaitAsync(Eventually.Hang);
        await stop.CancelAsync();
        Assert.That(async () => await dial.WaitAsync(Eventually.Hang),
            Throws.InstanceOf<OperationCanceledException>().With.Property("CancellationToken").EqualTo(stop.Token));
    }

    [Test]
    public async Task No_secret_shows_in_the_log_or_in_an_error()
    {
        await using var proxy = Answering("HTTP/1.1 407 No\r\n\r\n");
        var logger = new RecordingLogger();
        var options = Options(proxy.Port);
        options = options with { Proxy = options.Proxy! with { Credential = new TransferCredential("user", "open sesame") } };
        var error = await Assert.ThrowsAsync<TransferConnectionException>(
            async () => await DialerTests.Dialer(new FakeNetwork(), options, logger).DialAsync("ftp.example", 21));

        var login = Convert.ToBase64String("user:open sesame"u8);
        Assert.That(logger.Messages.Append(error!.ToString()), Has.None.Contains("sesame").And.None.Contains(login));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
    }

    private static DialOptions Options(int port) =>
        new() { Proxy = new ProxyOptions { Kind = ProxyKind.HttpConnect, Host = "127.0.0.1", Port = port } };

    private static string Request(string host, TransferCredential? credential) =>
        Encoding.ASCII.GetString(HttpConnectProxy.CreateRequest(DialTarget.Parse(host, 21), credential));

    private static LoopbackServer Answering(string answer) => new(async (stream, ct) =>
    {
        await stream.ReadHeaderAsync(ct);
        try
        {
            await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), ct);
        }
        catch (IOException)
        {
            return; // it has heard enough
        }
        await stream.ReadToEndAsync(ct);
    });

    private static ValueTask<DialedConnection> DialAsync(LoopbackServer proxy, FakeNetwork? network = null,
        ManualTime? clock = null) =>
        DialerTests.Dialer(network ?? new FakeNetwork(), Options(proxy.Port), time: clock).DialAsync("ftp.example", 21);

    private static async Task<TransferConnectionException> FailsAsync(LoopbackServer proxy) =>
        (await Assert.ThrowsAsync<TransferConnectionException>(async () => (await DialAsync(proxy)).Dispose()))!;

    private static async Task<string> ReceiveAsync(DialedConnection connection, int count)
    {
        await using var stream = new NetworkStream(connection.Socket, ownsSocket: false);
        return Encoding.ASCII.GetString(await stream.ReadAsync(count, CancellationToken.None).WaitAsync(Eventually.Hang));
    }
}
