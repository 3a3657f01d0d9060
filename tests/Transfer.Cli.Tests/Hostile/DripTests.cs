using System.Net.Security;
using System.Net.Sockets;
using System.Text;
using Transfer.Batch;
using Transfer.Batch.Carriers.Direct;
using Transfer.Batch.Carriers.Link.Framing;
using Transfer.Batch.Carriers.Link.Messages;
using Transfer.Ftp;
using Transfer.Sftp;
using Transfer.TestSupport.Network;

namespace Transfer.Cli.Tests.Hostile;

/// <summary>Peers that send a byte now and then: no idle time-out ever runs out, the log-in's limit does.</summary>
[Category(Categories.Slow)]
public sealed class DripTests
{
    // A part of it is a server's silence, which a busy machine must not reach between two drops.
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan Idle = TimeSpan.FromMinutes(5);

    // A bar is where the client has to say something first.
    [TestCase("220-")]
    [TestCase("120 soon\r\n220-")]
    [TestCase("220 here\r\n|331-")]
    [TestCase("220 (vsFTPd 3.0.5)\r\n|331 go on\r\n230 in\r\n200 ok\r\n200 ok\r\n215 UNIX\r\n211-")]
    public Task An_ftp_server_that_drips_does_not_keep_the_log_in(string begins) => LimitedAsync(begins, port =>
        new FtpTransferClient(new Uri($"ftp://127.0.0.1:{port}/"), new FtpOptions { IdleTimeout = Idle, LogInTimeout = Limit }));

    [Test]
    public Task An_ftp_server_that_drips_its_tls_handshake_does_not_keep_the_log_in() => LimitedAsync("220 here\r\n|234 go on\r\n|", port =>
        new FtpTransferClient(new Uri($"ftpes://127.0.0.1:{port}/"), new FtpOptions { IdleTimeout = Idle, LogInTimeout = Limit }),
        drop: [0x16, 3, 3, 0x40, 0]);

    [TestCase("")]
    [TestCase("welcome\r\n")]
    [TestCase("SSH-2.0-drip\r\n")]
    public Task An_ssh_server_that_drips_does_not_keep_the_log_in(string begins) => LimitedAsync(begins, port =>
        new SftpTransferClient(new Uri($"sftp://me@127.0.0.1:{port}/"), new SftpOptions { IdleTimeout = Idle, LogInTimeout = Limit }),
        drop: begins.StartsWith("SSH", StringComparison.Ordinal) ? [0, 0, 0x3F, 0xFC, 4, 20] : []);

    [Test]
    public Task A_proxy_that_drips_does_not_keep_the_log_in() =>
        LimitedAsync("HTTP/1.1 200 ", port => new FtpTransferClient(new Uri("ftp://host.invalid/"), new FtpOptions
        {
            IdleTimeout = Idle,
            LogInTimeout = Limit,
            Dial = new DialOptions
            {
                ConnectTimeout = Idle,
                Proxy = new ProxyOptions { Kind = ProxyKind.HttpConnect, Host = "127.0.0.1", Port = port }
            },
        }));

    [Test]
    public async Task A_receiver_that_drips_its_tls_handshake_does_not_keep_the_sender()
    {
        await using var server = Drip([[0x16, 3, 3, 0x40, 0]]);
        using var identity = DirectIdentity.Create();
        var error = await SendAsync(new BatchAddress("127.0.0.1", server.Port, identity.Token));
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout), error.Message);
        Assert.That(error.Message, Does.Contain("log-in"));
    }

    [Test]
    public async Task A_receiver_that_only_pings_does_not_keep_the_sender()
    {
        using var identity = DirectIdentity.Create();
        await using var server = new LoopbackServer(async (stream, ct) =>
        {
            using var certificate = identity.CreateCertificate(DateTimeOffset.UtcNow, hasFiles: false);
            await using var tls = new SslStream(stream, leaveInnerStreamOpen: true);
            await tls.AuthenticateAsServerAsync(DirectTls.ForReceiver(certificate), ct);
            var ping = new byte[LinkFrame.HeaderLength];
            LinkFrame.WriteHeader(ping, LinkMessageType.Ping, 0);
            await DripAsync(tls, ping, ct);
        });
        Assert.That((await SendAsync(new BatchAddress("127.0.0.1", server.Port, identity.Token))).Error, Is.EqualTo(TransferError.Timeout));
    }

    private static async Task LimitedAsync(string begins, Func<int, TransferClient> create, byte[]? drop = null)
    {
        await using var server = Drip([.. begins.Split('|').Select(Encoding.ASCII.GetBytes), drop ?? []],
            waits: begins.Count(c => c == '|'));
        await using var client = create(server.Port);
        var error = await Assert.CatchAsync<TransferConnectionException>(() => client.ConnectAsync().AsTask().WaitAsync(Eventually.Hang));
        Assert.That(error!.Error, Is.EqualTo(TransferError.Timeout), error.Message);
        Assert.That(error.Message, Does.Contain("log-in"), "not by another limit");
    }

    // What is behind the start never ends a line or a record.
    private static LoopbackServer Drip(byte[][] begins, int waits = 0) => new(async (stream, ct) =>
    {
        var said = new byte[4096];
        foreach (var part in begins)
        {
            await stream.WriteAsync(part, ct);
            if (waits-- > 0) await stream.ReadAtLeastAsync(said, 1, throwOnEndOfStream: false, ct);
        }
        await DripAsync(stream, "x"u8.ToArray(), ct);
    });

    private static async Task DripAsync(Stream stream, byte[] drop, CancellationToken ct)
    {
        try
        {
            while (true)
            {
                await Task.Delay(20, ct);
                await stream.WriteAsync(drop, ct);
            }
        }
        catch (Exception e) when (e is IOException or SocketException or OperationCanceledException)
        {
            // The client has gone, or the test is over.
        }
    }

    private static async Task<TransferException> SendAsync(BatchAddress address)
    {
        using var folder = new TempFolder();
        folder.Add("a", [1, 2, 3]);
        var sender = new BatchSender(address,
            new BatchSenderOptions { IdleTimeout = Idle, LogInTimeout = Limit, Sessions = 1, Retry = new RetryOptions { Attempts = 1 } });
        return (await Assert.CatchAsync<TransferException>(() => sender.SendAsync(folder.Path).WaitAsync(Eventually.Hang)))!;
    }
}
