using System.Net.Sockets;
using System.Text;
using Transfer.Testing;
using Transfer.Testing.Tls;

namespace Transfer.Tests.Testing;

internal sealed class FtpFaultTests
{
    private readonly byte[] _content = FtpTransferTests.Bytes(20_000);
    private FtpTestServer _server = null!;
    private RawFtp _client = null!;

    private FtpFaults Faults => _server.Faults;

    private MemoryStore Files => (MemoryStore)_server.Store;

    [SetUp]
    public async Task SetUpAsync()
    {
        _server = await FtpTestServer.StartAsync();
        Files.AddFile("/f", _content);
        _client = await RawFtp.LogInAsync(_server);
    }

    [TearDown]
    public async Task TearDownAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Test]
    public async Task A_reply_replaces_the_command()
    {
        var fault = Faults.Reply("MKD", "451 Not now");
        await ExpectAsync("MKD a", "451 Not now");
        await ExpectAsync("MKD a", "257");
        Assert.That(fault.Fired, Is.EqualTo(1));
        Assert.That(fault.FirstFired.IsCompletedSuccessfully, Is.True);
    }

    [Test]
    public async Task Skip_times_and_order_are_kept()
    {
        Faults.Reply("NOOP", "400 first", skip: 1, times: 2);
        Faults.Reply("noop", "401 second");
        string[] expected = ["401", "400", "400", "200"];
        foreach (var code in expected) await ExpectAsync("NOOP", code);
    }

    [Test]
    public async Task Two_replies_for_a_verb_are_a_sequence()
    {
        Faults.Reply("NOOP", "400 first");
        Faults.Reply("NOOP", "401 second");
        string[] expected = ["400", "401", "200"];
        foreach (var code in expected) await ExpectAsync("NOOP", code);
    }

    [Test]
    public async Task A_path_pattern_limits_a_rule()
    {
        Faults.Reply("SIZE", "450 busy", times: int.MaxValue, path: "/*.part");
        await ExpectAsync("SIZE f", "213");
        await ExpectAsync("SIZE x.part", "450");
        await ExpectAsync("SIZE /x.part", "450");
    }

    [Test]
    public async Task Clear_forgets_rules()
    {
        Faults.Reply(FtpFaults.AnyVerb, "400 all", times: int.MaxValue);
        await ExpectAsync("NOOP", "400");
        Faults.Clear();
        await ExpectAsync("NOOP", "200");
    }

    [Test]
    public async Task A_replied_transfer_closes_its_data_connection()
    {
        Faults.Reply("STOR", "452-No space\n452 left");
        using var data = await RawFtp.DialAsync(await _client.PassiveAsync());
        await ExpectAsync("STOR a", "452-No space\n452 left");
        Assert.That(await RawFtp.IsRefusedAsync(data), Is.True);
        Assert.That(Files.Exists("/a"), Is.False);
    }

    [Test]
    public async Task The_greeting_can_be_replaced_stalled_or_dropped()
    {
        Faults.Reply(FtpFaults.Greeting, "421 Closed today");
        await using (var first = await RawFtp.ConnectAsync(_server)) Assert.That(await first.ReplyAsync(), Is.EqualTo("421 Closed today"));
        Faults.DropConnection(FtpFaults.Greeting);
        await using (var second = await RawFtp.ConnectAsync(_server)) Assert.That(await second.IsClosedAsync(), Is.True);
        var stall = Faults.Stall(FtpFaults.Greeting);
        await using var third = await RawFtp.ConnectAsync(_server);
        await stall.FirstFired.WaitAsync(RawFtp.Patience);
        stall.Release();
        Assert.That(await third.ReplyAsync(), Does.StartWith("220"));
    }

    [Test]
    public async Task A_stall_answers_nothing_until_it_is_released()
    {
        var stall = Faults.Stall("PWD");
        await _client.SendAsync("PWD\r\nNOOP\r\n");
        await stall.FirstFired.WaitAsync(RawFtp.Patience);
        var reply = _client.ReplyAsync();
        await Task.Delay(50);
        Assert.That(reply.IsCompleted, Is.False);
        stall.Release();
        Assert.That(await reply, Does.StartWith("257"));
        Assert.That(await _client.ReplyAsync(), Does.StartWith("200"));
    }

    [Test]
    public async Task A_stalled_server_can_be_disposed()
    {
        var stall = Faults.Stall("PWD");
        await _client.SendAsync("PWD\r\n");
        await stall.FirstFired.WaitAsync(RawFtp.Patience);
        await _server.DisposeAsync().AsTask().WaitAsync(RawFtp.Patience);
        Assert.That(await _client.IsClosedAsync(), Is.True);
    }

    [TestCase("PWD")]
    [TestCase(FtpFaults.Greeting)]
    public async Task A_stall_ends_with_the_connection(string verb)
    {
        var stall = Faults.Stall(verb);
        await using (var client = await RawFtp.ConnectAsync(_server))
        {
            await client.SendAsync("USER demo\r\nPWD\r\n");
            await stall.FirstFired.WaitAsync(RawFtp.Patience);
        }

        await Eventually.IsAsync(() => _server.CurrentConnections, 1);
    }

    [Test]
    public async Task A_delay_and_a_reply_strike_together()
    {
        var delay = TimeSpan.FromMilliseconds(60);
        Faults.Delay("NOOP", delay);
        Faults.Reply("NOOP", "400 late");
        var start = TimeProvider.System.GetTimestamp();
        await ExpectAsync("NOOP", "400");
        Assert.That(TimeProvider.System.GetElapsedTime(start), Is.GreaterThan(delay - TimeSpan.FromMilliseconds(5)));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task The_connection_is_dropped_before_or_after_the_command(bool executed)
    {
        Faults.DropConnection("MKD", executed, reset: true);
        await _client.SendAsync("MKD a\r\n");
        Assert.That(await _client.IsClosedAsync(), Is.True);
        Assert.That(Files.Exists("/a"), Is.EqualTo(executed));
    }

    [Test]
    public async Task Garbage_is_sent_as_it_is()
    {
        Faults.Garbage("NOOP", new byte[] { 0, 255, 13, 10 });
        await _client.SendAsync("NOOP\r\n");
        var bytes = new byte[4];
        await _client.Stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(RawFtp.Patience);
        Assert.That(bytes, Is.EqualTo(new byte[] { 0, 255, 13, 10 }));
        await ExpectAsync("NOOP", "200");
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task An_endless_reply_has_the_length_asked_for(bool lines)
    {
        const int Length = 3_000_000;
        if (lines) Faults.EndlessLines("NOOP", Length);
        else Faults.EndlessReply("NOOP", Length);
        await _client.SendAsync("NOOP\r\n");
        var reply = await RawFtp.ReadAllAsync(_client.Stream);
        Assert.That(reply, Has.Length.InRange(Length, Length + 100));
        Assert.That(reply.AsSpan().Contains((byte)'\n'), Is.EqualTo(lines));
        Assert.That(Encoding.ASCII.GetString(reply, 0, 4), Is.EqualTo(lines ? "211-" : "211 "));
    }

    [Test]
    public async Task A_final_reply_can_be_replaced_or_doubled()
    {
        Faults.FinalReply("STOR", "451 Disk on fire");
        Assert.That(await _client.StoreAsync("STOR a", _content), Is.EqualTo("451 Disk on fire"));
        Same.Bytes(Files.ReadFile("/a"), _content);
        Faults.ReplyTwice("STOR");
        Assert.That(await _client.StoreAsync("STOR a", _content), Does.StartWith("226"));
        Assert.That(await _client.ReplyAsync(), Does.StartWith("226"));
        await ExpectAsync("NOOP", "200");
    }

    [Test]
    public async Task A_final_reply_can_be_left_out()
    {
        var fault = Faults.OmitFinalReply("STOR");
        using var data = await RawFtp.DialAsync(await _client.PassiveAsync());
        await ExpectAsync("STOR a", "150");
        data.Shutdown(SocketShutdown.Send);
        await fault.FirstFired.WaitAsync(RawFtp.Patience);
        await ExpectAsync("NOOP", "200");
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(19_999)]
    public async Task A_download_is_cut_at_any_byte(int at)
    {
        Faults.CutData(at);
        Same.Bytes(await _client.ReceiveAsync("RETR f", final: "426"), _content.AsSpan(0, at));
        Same.Bytes(await _client.ReceiveAsync("RETR f"), _content);
    }

    [TestCase(0)]
    [TestCase(1)]
    [TestCase(9_999)]
    public async Task An_upload_is_cut_at_any_byte(int at)
    {
        Faults.CutData(at, "STOR", reset: true);
        var reply = await UploadDespiteResetAsync();
        Assert.That(reply, Does.StartWith("426"));
        Same.Bytes(Files.ReadFile("/a"), _content.AsSpan(0, at));
    }

    [Test]
    public async Task Refused_data_is_reset_after_the_150()
    {
        Faults.RefuseData("STOR");
        Assert.That(await UploadDespiteResetAsync(), Does.StartWith("426"));
        Assert.That(Files.ReadFile("/a"), Is.Empty);
        Assert.That(await _client.StoreAsync("STOR a", _content), Does.StartWith("226"));
    }

    [Test]
    public async Task Stalled_data_goes_on_when_released()
    {
        var stall = Faults.StallData(100, "RETR");
        var receiving = _client.ReceiveAsync("RETR f");
        await stall.FirstFired.WaitAsync(RawFtp.Patience);
        await Task.Delay(30);
        Assert.That(receiving.IsCompleted, Is.False);
        stall.Release();
        Same.Bytes(await receiving, _content);
    }

    [Test]
    public async Task Stalled_data_ends_with_ABOR()
    {
        Faults.StallData(100, "RETR");
        using var data = await RawFtp.DialAsync(await _client.PassiveAsync());
        await ExpectAsync("RETR f", "150");
        await _client.SendAsync("ABOR\r\n");
        Assert.That(await _client.ReplyAsync(), Does.StartWith("426"));
        Assert.That(await _client.ReplyAsync(), Does.StartWith("226"));
    }

    [Test]
    public async Task Data_is_corrupted_lost_or_replaced_in_silence()
    {
        Faults.CorruptData(5, "STOR");
        Assert.That(await _client.StoreAsync("STOR a", _content), Does.StartWith("226"));
        var expected = _content.ToArray();
        expected[5] ^= 0xFF;
        Same.Bytes(Files.ReadFile("/a"), expected);

        Faults.LoseData(7, "STOR");
        Assert.That(await _client.StoreAsync("STOR a", _content), Does.StartWith("226"));
        Same.Bytes(Files.ReadFile("/a"), _content.AsSpan(0, 7));

        Faults.SendData("NLST", "../evil\r\n"u8.ToArray());
        Assert.That(await _client.LinesAsync("NLST"), Is.EqualTo(new[] { "../evil" }));
    }

    [Test]
    public async Task A_wrong_size_is_told_everywhere_until_released()
    {
        var fault = Faults.WrongSize("/f", 42);
        await ExpectAsync("SIZE f", "213 42");
        Assert.That(await _client.CommandAsync("MLST f"), Does.Contain("size=42;"));
        Assert.That((await _client.LinesAsync("MLSD"))[^1], Does.Contain("size=42;"));
        Assert.That((await _client.LinesAsync("LIST"))[0], Does.Contain(" 42 "));
        fault.Release();
        await ExpectAsync("SIZE f", "213 20000");
    }

    [TestCase(null)]
    [TestCase(1000)]
    public async Task TLS_is_truncated(int? at)
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, Store = Files });
        await using var client = await FtpTlsTests.LogInSecurelyAsync(server, "localhost");
        server.Faults.TruncateTls("RETR", at);
        var (content, isTruncated) = await ReceiveWatchedAsync(client);
        Same.Bytes(content, _content.AsSpan(0, at ?? _content.Length));
        Assert.That(isTruncated, Is.True, "no close_notify came");
        (content, isTruncated) = await ReceiveWatchedAsync(client);
        Same.Bytes(content, _content);
        Assert.That(isTruncated, Is.False, "close_notify came");
    }

    [Test]
    public async Task A_handshake_can_be_stalled()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit });
        var stall = server.Faults.Stall(FtpFaults.Handshake);
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        var securing = client.SecureAsync();
        await stall.FirstFired.WaitAsync(RawFtp.Patience);
        Assert.That(securing.IsCompleted, Is.False);
        stall.Release();
        await securing;
        await client.LogInAsync();
    }

    [Test]
    public void Rules_are_checked()
    {
        Assert.That(() => Faults.Reply("", "500 x"), Throws.ArgumentException);
        Assert.That(() => Faults.Reply("NOOP", "500 x", skip: -1), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => Faults.Reply("NOOP", "500 x", times: 0), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    private async Task ExpectAsync(string command, string reply) =>
        Assert.That(await _client.CommandAsync(command), Does.StartWith(reply), command);

    private async Task<string> UploadDespiteResetAsync()
    {
        using var data = await RawFtp.DialAsync(await _client.PassiveAsync());
        await ExpectAsync("STOR a", "150");
        try
        {
            await data.SendAsync(_content);
        }
        catch (SocketException)
        {
            // The point of the fault.
        }

        return await _client.ReplyAsync();
    }

    /// <summary>Receives over TLS and says whether TCP ended before TLS did, seen from below the SslStream.</summary>
    private static async Task<(byte[] Content, bool IsTruncated)> ReceiveWatchedAsync(RawFtp client)
    {
        TlsTap? tap = null;
        var content = await client.ReceiveAsync("RETR f", wrap: async stream =>
        {
            tap = new TlsTap(stream, new TlsSessions());
            return await RawFtp.HandshakeAsync(tap);
        });
        return (content, tap!.HasTcpEnded);
    }
}
