using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

internal sealed class FtpTransferTests
{
    private static readonly byte[] Content = Bytes(300_000);

    [Test]
    public async Task What_is_stored_is_retrieved()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.StoreAsync("STOR /a.bin", Content), Does.StartWith("226"));
        Same.Bytes(((MemoryStore)server.Store).ReadFile("/a.bin"), Content);
        Same.Bytes(await client.ReceiveAsync("RETR a.bin"), Content);
        Assert.That(await client.StoreAsync("STOR a.bin", []), Does.StartWith("226"));
        Assert.That(await client.ReceiveAsync("RETR a.bin"), Is.Empty);
        Assert.That(server.DataConnections, Is.EqualTo(4));
    }

    [Test]
    public async Task Passive_mode_by_PASV_names_an_address()
    {
        var store = Store(("/a", "hello"));
        await using var server = await FtpTestServer.StartAsync(new() { Store = store });
        await using var client = await RawFtp.LogInAsync(server);
        var reply = await client.CommandAsync("PASV");
        var numbers = reply.Split('(', ')')[1].Split(',').Select(int.Parse).ToArray();
        Assert.That(numbers[..4], Is.EqualTo(new[] { 127, 0, 0, 1 }));
        using var data = await RawFtp.DialAsync(new IPEndPoint(IPAddress.Loopback, (numbers[4] << 8) + numbers[5]));
        await client.SendAsync("RETR a\r\n");
        Assert.That(await RawFtp.ReadAllAsync(new NetworkStream(data)), Is.EqualTo("hello"u8.ToArray()));
    }

    [Test]
    public async Task Passive_mode_can_name_a_wrong_address()
    {
        await using var server = await FtpTestServer.StartAsync(new() { PassiveAddress = IPAddress.Parse("192.0.2.7") });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("PASV"), Does.Contain("(192,0,2,7,"));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task In_active_mode_the_server_connects(bool extended)
    {
        var store = Store(("/a", "hello"));
        await using var server = await FtpTestServer.StartAsync(new() { Store = store });
        await using var client = await RawFtp.LogInAsync(server);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var setup = extended ? $"EPRT |1|127.0.0.1|{port}|" : $"PORT 127,0,0,1,{port >> 8},{port & 255}";
        Assert.That(await client.CommandAsync(setup), Does.StartWith("200"));
        await client.SendAsync("RETR a\r\n");
        using var data = await listener.AcceptSocketAsync().WaitAsync(RawFtp.Patience);
        Assert.That(await RawFtp.ReadAllAsync(new NetworkStream(data)), Is.EqualTo("hello"u8.ToArray()));
        Assert.That(await client.ReplyAsync(), Does.StartWith("150"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
    }

    [TestCase("PORT 192,0,2,1,100,0", "500")]
    [TestCase("PORT 127,0,0,1,0,25", "500")]
    [TestCase("PORT 127,0,0,1,0", "501")]
    [TestCase("PORT 127,0,0,1,0,256", "501")]
    [TestCase("EPRT |2|127.0.0.1|5000|", "501")]
    [TestCase("EPRT |1|192.0.2.1|5000|", "500")]
    [TestCase("EPRT x", "501")]
    public async Task Active_mode_reaches_the_client_only(string command, string code)
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync(command), Does.StartWith(code));
    }

    [Test]
    public async Task After_EPSV_ALL_nothing_else_sets_up_data()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("EPSV ALL"), Does.StartWith("200"));
        Assert.That(await client.CommandAsync("PASV"), Does.StartWith("501"));
        Assert.That(await client.CommandAsync("PORT 127,0,0,1,200,0"), Does.StartWith("501"));
        Assert.That(await client.CommandAsync("EPSV"), Does.StartWith("229"));
    }

    [Test]
    public async Task PRET_can_be_required()
    {
        await using var server = await FtpTestServer.StartAsync(new() { RequirePret = true });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("FEAT"), Does.Contain(" PRET\n"));
        Assert.That(await client.CommandAsync("EPSV"), Does.StartWith("503"));
        Assert.That(await client.CommandAsync("PRET STOR a"), Does.StartWith("200"));
        Assert.That(await client.CommandAsync("EPSV"), Does.StartWith("229"));
        Assert.That(await client.CommandAsync("EPSV"), Does.StartWith("503"));
    }

    [Test]
    public async Task Ranges_end_where_RANG_says()
    {
        await using var server = await FtpTestServer.StartAsync();
        ((MemoryStore)server.Store).AddFile("/a", "0123456789"u8);
        await using var client = await RawFtp.LogInAsync(server);
        foreach (var bad in (string[])["RANG 5", "RANG x 2", "RANG 5 4", "RANG 1 2 3", "RANG -1 2"])
            Assert.That(await client.CommandAsync(bad), Does.StartWith("501"), bad);
        Assert.That(await client.CommandAsync("RANG 4 6"), Does.StartWith("350"));
        Assert.That(await client.ReceiveAsync("RETR a"), Is.EqualTo("456"u8.ToArray()));
        Assert.That(await client.ReceiveAsync("RETR a"), Has.Length.EqualTo(10), "a range holds for one transfer");
        await client.CommandAsync("RANG 0 0");
        Assert.That(await client.ReceiveAsync("RETR a"), Is.EqualTo("0"u8.ToArray()));
        await client.CommandAsync("RANG 4 6");
        await client.CommandAsync("RANG 1 0");
        Assert.That(await client.ReceiveAsync("RETR a"), Has.Length.EqualTo(10));
        await client.CommandAsync("RANG 4 6");
        await client.CommandAsync("REST 2");
        Assert.That(await client.ReceiveAsync("RETR a"), Is.EqualTo("23456789"u8.ToArray()), "the last of both counts");
    }

    [Test]
    public async Task Restart_append_and_unique_names()
    {
        await using var server = await FtpTestServer.StartAsync();
        var store = (MemoryStore)server.Store;
        store.AddFile("/a", "0123456789"u8);
        await using var client = await RawFtp.LogInAsync(server);
        await client.CommandAsync("REST 4");
        Assert.That(await client.ReceiveAsync("RETR a"), Is.EqualTo("456789"u8.ToArray()));
        Assert.That(await client.ReceiveAsync("RETR a"), Has.Length.EqualTo(10), "a restart holds for one transfer");
        await client.CommandAsync("REST 8");
        await client.StoreAsync("STOR a", "xyz"u8.ToArray());
        Assert.That(store.ReadFile("/a"), Is.EqualTo("01234567xyz"u8.ToArray()));
        await client.CommandAsync("REST 2");
        await client.StoreAsync("STOR a", "AB"u8.ToArray());
        Assert.That(store.ReadFile("/a"), Is.EqualTo("01AB4567xyz"u8.ToArray()), "what is behind stays");
        await client.StoreAsync("APPE a", "!"u8.ToArray());
        Assert.That(store.ReadFile("/a"), Is.EqualTo("01AB4567xyz!"u8.ToArray()));
        await client.StoreAsync("STOU a", "u"u8.ToArray());
        Assert.That(store.ReadFile("/a.1"), Is.EqualTo("u"u8.ToArray()));
        await client.StoreAsync("STOR a", "new"u8.ToArray());
        Assert.That(store.ReadFile("/a"), Is.EqualTo("new"u8.ToArray()));
    }

    [Test]
    public async Task Type_A_changes_line_ends()
    {
        await using var server = await FtpTestServer.StartAsync();
        var store = (MemoryStore)server.Store;
        store.AddFile("/a", "one\ntwo\r\nthree"u8);
        await using var client = await RawFtp.LogInAsync(server);
        await client.CommandAsync("TYPE A");
        Assert.That(await client.ReceiveAsync("RETR a"), Is.EqualTo("one\r\ntwo\r\nthree"u8.ToArray()));
        await client.StoreAsync("STOR b", "one\r\ntwo\rthree\r"u8.ToArray());
        Assert.That(store.ReadFile("/b"), Is.EqualTo("one\ntwo\rthree\r"u8.ToArray()));
        Assert.That(await client.CommandAsync("SIZE b"), Does.StartWith("550"));
    }

    [Test]
    public async Task Mode_Z_compresses()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("MODE Z"), Does.StartWith("200"));
        var reply = await client.StoreAsync("STOR a", Content,
            wrap: stream => Task.FromResult<Stream>(new ZLibStream(stream, CompressionLevel.Fastest, leaveOpen: true)));
        Assert.That(reply, Does.StartWith("226"));
        Same.Bytes(((MemoryStore)server.Store).ReadFile("/a"), Content);
        var back = await client.ReceiveAsync("RETR a",
            wrap: stream => Task.FromResult<Stream>(new ZLibStream(stream, CompressionMode.Decompress)));
        Same.Bytes(back, Content);
        Assert.That(await client.StoreAsync("STOR b", "this is not zlib"u8.ToArray()), Does.StartWith("426"));
    }

    [Test]
    public async Task Data_sent_before_the_command_waits_in_the_backlog()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        await data.SendAsync("early"u8.ToArray());
        data.Shutdown(SocketShutdown.Send);
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
        Assert.That(((MemoryStore)server.Store).ReadFile("/a"), Is.EqualTo("early"u8.ToArray()));
    }

    [Test]
    public async Task A_batch_of_pairs_in_one_write_is_served_one_after_the_other()
    {
        await using var server = await FtpTestServer.StartAsync(new() { StrictPipelining = true });
        await using var client = await RawFtp.LogInAsync(server);
        await client.SendAsync(string.Concat(Enumerable.Range(0, 8).Select(i => $"EPSV\r\nSTOR f{i}\r\nSIZE f{i}\r\n")));
        for (var i = 0; i < 8; i++)
        {
            var passive = await client.ReplyAsync();
            Assert.That(passive, Does.StartWith("229"));
            using var data = await RawFtp.DialAsync(client.PassiveEndPoint(passive));
            await data.SendAsync(Encoding.ASCII.GetBytes($"content {i}"));
            data.Shutdown(SocketShutdown.Send);
            Assert.That(await client.ReplyAsync(), Does.StartWith("150"));
            Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
            Assert.That(await client.ReplyAsync(), Is.EqualTo("213 9"));
        }

        Assert.That(((MemoryStore)server.Store).Files, Has.Count.EqualTo(8));
    }

    [Test]
    public async Task Commands_sent_during_a_transfer_are_answered_after_it()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        await client.SendAsync("NOOP\r\n");
        await Eventually.IsAsync(() => server.Commands[^1].Verb, "NOOP");
        data.Shutdown(SocketShutdown.Send);
        Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("200"));
    }

    [Test]
    public async Task A_strict_server_loses_commands_sent_during_a_transfer()
    {
        await using var server = await FtpTestServer.StartAsync(new() { StrictPipelining = true });
        await using var client = await RawFtp.LogInAsync(server);
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        Assert.That(await client.CommandAsync("MKD b"), Does.StartWith("500"));
        data.Shutdown(SocketShutdown.Send);
        Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
        Assert.That(await client.CommandAsync("NOOP"), Does.StartWith("200"));
        Assert.That(((MemoryStore)server.Store).Directories, Is.Empty);
    }

    [Test]
    public async Task A_refused_transfer_closes_the_data_connection()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("RETR missing"), Does.StartWith("550"));
        Assert.That(await RawFtp.IsRefusedAsync(data), Is.True);
        Assert.That(await client.CommandAsync("RETR missing"), Does.StartWith("550"));
        Assert.That(await client.CommandAsync("STOR x"), Does.StartWith("425"));
        Assert.That(((MemoryStore)server.Store).Files, Is.Empty);
    }

    [Test]
    public async Task A_client_that_never_connects_gets_425()
    {
        await using var server = await FtpTestServer.StartAsync(new() { DataTimeout = TimeSpan.FromMilliseconds(50) });
        await using var client = await RawFtp.LogInAsync(server);
        await client.PassiveAsync();
        Assert.That(await client.CommandAsync("LIST"), Does.StartWith("150"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("425"));
        Assert.That(await client.CommandAsync("NOOP"), Does.StartWith("200"));
    }

    [Test]
    public async Task ABOR_ends_a_transfer_and_leaves_the_session_usable()
    {
        await using var server = await FtpTestServer.StartAsync();
        ((MemoryStore)server.Store).AddSyntheticFile("/big", 1L << 40);
        await using var client = await RawFtp.LogInAsync(server);
        using (await RawFtp.DialAsync(await client.PassiveAsync()))
        {
            Assert.That(await client.CommandAsync("RETR big"), Does.StartWith("150"));
            await client.SendAsync([255, 244, 255, 242, .. "ABOR\r\n"u8]);
            Assert.That(await client.ReplyAsync(), Does.StartWith("426"));
            Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
        }

        Assert.That(await client.CommandAsync("ABOR"), Does.StartWith("226"));
        Assert.That(await client.StoreAsync("STOR a", Content), Does.StartWith("226"));
    }

    [Test]
    public async Task ABOR_in_the_same_write_reaches_the_transfer_before_it()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        await client.PassiveAsync();
        await client.SendAsync("STOR a\r\nABOR\r\nNOOP\r\n");
        string[] codes = ["150", "426", "226", "200"];
        foreach (var code in codes) Assert.That(await client.ReplyAsync(), Does.StartWith(code));
    }

    [Test]
    public async Task The_end_of_the_control_connection_ends_its_transfer()
    {
        await using var server = await FtpTestServer.StartAsync();
        var client = await RawFtp.LogInAsync(server);
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        await client.DisposeAsync();
        await Eventually.IsAsync(() => server.CurrentConnections, 0);
    }

    [Test]
    public async Task A_broken_data_connection_is_answered_426()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        await data.SendAsync("x"u8.ToArray());
        await Eventually.IsAsync(() => ((MemoryStore)server.Store).ReadFile("/a").Length, 1);
        data.LingerState = new LingerOption(true, 0);
        data.Close();
        Assert.That(await client.ReplyAsync(), Does.StartWith("426"));
    }

    [Test]
    public async Task A_full_store_is_answered_552()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Store = new MemoryStore(capacity: 1000) });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("AVBL"), Is.EqualTo("213 1000"));
        Assert.That(await client.CommandAsync("ALLO 1001"), Does.StartWith("552"));
        Assert.That(await client.StoreAsync("STOR a", new byte[1001]), Does.StartWith("552"));
        Assert.That(await client.StoreAsync("STOR b", new byte[900]), Does.StartWith("226"));
        Assert.That(await client.CommandAsync("DELE b"), Does.StartWith("250"));
        Assert.That(await client.CommandAsync("AVBL"), Is.EqualTo("213 1000"));
    }

    internal static MemoryStore Store(params (string Path, string Content)[] files)
    {
        var store = new MemoryStore();
        foreach (var (path, content) in files) store.AddFile(path, Encoding.UTF8.GetBytes(content));
        return store;
    }

    internal static byte[] Bytes(int length)
    {
        var bytes = new byte[length];
        SyntheticContent.Fill(bytes, 0, seed: length);
        return bytes;
    }
}
