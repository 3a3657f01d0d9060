using System.Text;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

internal sealed class ControlConnectionTests
{
    [Test]
    public async Task The_greeting_may_have_several_lines()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Greeting = "one\ntwo" });
        await using var client = await RawFtp.ConnectAsync(server);
        Assert.That(await client.ReplyAsync(), Is.EqualTo("220-one\n220 two"));
    }

    [TestCase("demo", "demo", "230")]
    [TestCase("anonymous", "someone@", "230")]
    [TestCase("demo", "wrong", "530")]
    [TestCase("nobody", "demo", "530")]
    public async Task Only_known_users_with_their_password_log_in(string user, string password, string code)
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        Assert.That(await client.CommandAsync("PASS demo"), Does.StartWith("503"));
        Assert.That(await client.CommandAsync("PWD"), Does.StartWith("530"));
        Assert.That(await client.CommandAsync($"USER {user}"), Does.StartWith("331"));
        Assert.That(await client.CommandAsync($"PASS {password}"), Does.StartWith(code));
        Assert.That(await client.CommandAsync("PWD"), Does.StartWith(code == "230" ? "257" : "530"));
    }

    [Test]
    public async Task An_account_is_asked_for_when_there_is_one()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Account = "blue" });
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        await client.CommandAsync("USER demo");
        Assert.That(await client.CommandAsync("PASS demo"), Does.StartWith("332"));
        Assert.That(await client.CommandAsync("ACCT red"), Does.StartWith("530"));
        Assert.That(await client.CommandAsync("ACCT blue"), Does.StartWith("230"));
        Assert.That(server.Commands.Select(command => command.Text), Does.Contain("ACCT ***").And.Not.Contain("ACCT blue"));
    }

    [Test]
    public async Task Commands_of_one_write_are_answered_in_order()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.ConnectAsync(server);
        await client.SendAsync("USER demo\r\nPASS demo\r\nTYPE I\r\nMKD /a\r\nMKD /a/b\r\nRNFR /a/b\r\nRNTO /a/c\r\nPWD\r\n");
        string[] codes = ["220", "331", "230", "200", "257", "257", "350", "250", "257"];
        foreach (var code in codes) Assert.That(await client.ReplyAsync(), Does.StartWith(code));
        Assert.That(((MemoryStore)server.Store).Directories, Is.EqualTo(new[] { "/a", "/a/c" }));
        Assert.That(server.Commands.Select(command => command.Read).Distinct().Count(), Is.EqualTo(1), "they arrived in one read");
    }

    [Test]
    public async Task Two_thousand_commands_in_one_write_get_two_thousand_replies()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        await client.SendAsync(string.Concat(Enumerable.Repeat("NOOP\r\n", 2000)));
        for (var i = 0; i < 2000; i++) Assert.That(await client.ReplyAsync(), Does.StartWith("200"));
    }

    [Test]
    public async Task What_was_received_is_recorded_without_passwords()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var first = await RawFtp.LogInAsync(server);
        await using var second = await RawFtp.ConnectAsync(server);
        await second.ReplyAsync();
        await second.CommandAsync("noop");
        Assert.That(
            server.Commands.Select(command => command.ToString()),
            Is.EqualTo(new[] { "1 USER demo", "1 PASS ***", "1 TYPE I", "2 NOOP" }));
    }

    [Test]
    public async Task Only_the_latest_commands_are_kept()
    {
        await using var server = await FtpTestServer.StartAsync(new() { CommandsKept = 2 });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(server.Commands.Select(command => command.Verb), Is.EqualTo(new[] { "PASS", "TYPE" }));
    }

    [Test]
    public async Task A_line_that_is_too_long_is_refused_and_the_next_is_served()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        await client.SendAsync("STOR " + new string('x', 5000) + "\r\nNOOP\r\n");
        Assert.That(await client.ReplyAsync(), Does.StartWith("500"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("200"));
        for (var i = 0; i < 64; i++) await client.SendAsync(new byte[64 * 1024]);
        await client.SendAsync("\nNOOP\r\n");
        Assert.That(await client.ReplyAsync(), Does.StartWith("500"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("200"));
    }

    [Test]
    public async Task Random_bytes_do_not_hurt_the_server()
    {
        await using var server = await FtpTestServer.StartAsync();
        var random = new Random(7);
        for (var round = 0; round < 20; round++)
        {
            await using var client = await RawFtp.ConnectAsync(server);
            var noise = new byte[random.Next(1, 20_000)];
            random.NextBytes(noise);
            await client.ReplyAsync();
            await client.SendAsync(noise);
            client.Reset();
        }

        await using var after = await RawFtp.LogInAsync(server);
        Assert.That(await after.CommandAsync("NOOP"), Does.StartWith("200"));
    }

    [Test]
    public async Task Quit_is_answered_and_closes()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        await client.SendAsync("QUIT\r\nNOOP\r\nNOOP\r\n");
        Assert.That(await client.ReplyAsync(), Does.StartWith("221"));
        Assert.That(await client.IsClosedAsync(), Is.True);
    }

    [Test]
    public async Task Names_that_are_no_text_are_refused()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        await client.SendAsync([.. "SIZE "u8, 0xFC, .. "\r\n"u8]);
        Assert.That(await client.ReplyAsync(), Does.StartWith("501"));
    }

    [Test]
    public async Task Without_utf8_names_are_in_the_other_encoding()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Utf8 = false });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.CommandAsync("FEAT"), Does.Not.Contain("UTF8"));
        Assert.That(await client.CommandAsync("OPTS UTF8 ON"), Does.StartWith("501"));
        await client.SendAsync([.. "MKD /"u8, 0xFC, .. "\r\n"u8]);
        await client.ReplyAsync();
        Assert.That(((MemoryStore)server.Store).Directories, Is.EqualTo(new[] { "/\u00fc" }));
        Assert.That(await client.ReceiveAsync("NLST"), Is.EqualTo(new byte[] { 0xFC, 13, 10 }));
    }

    [Test]
    public async Task Connections_beyond_the_limit_are_greeted_with_421()
    {
        await using var server = await FtpTestServer.StartAsync(new() { MaxConnections = 1 });
        await using (var first = await RawFtp.LogInAsync(server))
        {
            await using var second = await RawFtp.ConnectAsync(server);
            Assert.That(await second.ReplyAsync(), Does.StartWith("421"));
            Assert.That(await second.IsClosedAsync(), Is.True);
            Assert.That(await first.CommandAsync("QUIT"), Does.StartWith("221"));
            await first.IsClosedAsync();
        }

        await Eventually.IsAsync(() => server.CurrentConnections, 0);
        await using var third = await RawFtp.LogInAsync(server);
        Assert.That((server.PeakConnections, server.TotalConnections), Is.EqualTo((1, 3)));
    }

    [Test]
    public async Task Sessions_of_a_user_beyond_the_limit_are_refused_at_the_password()
    {
        await using var server = await FtpTestServer.StartAsync(new() { MaxConnectionsPerUser = 1 });
        await using (await RawFtp.LogInAsync(server))
        {
            await using var second = await RawFtp.ConnectAsync(server);
            await second.ReplyAsync();
            await second.CommandAsync("USER demo");
            Assert.That(await second.CommandAsync("PASS demo"), Does.StartWith("530"));
            await second.CommandAsync("USER anonymous");
            Assert.That(await second.CommandAsync("PASS x"), Does.StartWith("230"));
        }

        await Eventually.IsAsync(() => server.CurrentConnections, 0);
        await using var third = await RawFtp.LogInAsync(server);
        Assert.That(await third.CommandAsync("REIN"), Does.StartWith("220"));
        Assert.That(await third.CommandAsync("PWD"), Does.StartWith("530"));
        await third.LogInAsync();
    }

    [Test]
    public async Task Disabled_commands_are_502_and_not_in_FEAT()
    {
        var disabled = new HashSet<string> { "MLSD", "EPSV", "MFMT", "MODE Z", "SITE CHMOD" };
        await using var server = await FtpTestServer.StartAsync(new() { DisabledCommands = disabled });
        await using var client = await RawFtp.LogInAsync(server);
        string[] tried = ["MLSD", "EPSV", "MFMT 20200101000000 x", "MODE Z", "SITE CHMOD 644 x"];
        foreach (var command in tried) Assert.That(await client.CommandAsync(command), Does.StartWith("502"), command);
        var features = await client.CommandAsync("FEAT");
        Assert.That(features,
            Does.Not.Contain("MLST").And.Not.Contain("EPSV").And.Not.Contain("MFMT").And.Not.Contain("MODE Z").And.Not.Contain("CHMOD"));
        Assert.That(features, Does.Contain("\n SITE UTIME\n").And.Contain("\n REST STREAM\n").And.Contain("\n UTF8\n"));
        Assert.That(await client.CommandAsync("MODE S"), Does.StartWith("200"));
    }

    [Test]
    public async Task An_idle_session_is_told_421()
    {
        await using var server = await FtpTestServer.StartAsync(new() { IdleTimeout = TimeSpan.FromMilliseconds(100) });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.ReplyAsync(), Does.StartWith("421"));
        Assert.That(await client.IsClosedAsync(), Is.True);
    }

    [Test]
    public async Task Small_commands_are_answered_as_the_standards_say()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        Assert.That(await client.CommandAsync("HOST ftp.test"), Does.StartWith("220"));
        await client.LogInAsync();
        (string Command, string Reply)[] cases =
        [
            ("SYST", "215 UNIX"), ("NOOP", "200"), ("CLNT x", "200"), ("STAT", "211-"), ("HELP", "214-"), ("TYPE A", "200"),
            ("TYPE E", "504"),
            ("MODE S", "200"), ("MODE B", "504"), ("STRU F", "200"), ("STRU R", "504"), ("OPTS UTF8 ON", "200"), ("OPTS X", "501"),
            ("ACCT x", "202"), ("ALLO 5", "200"),
            ("ALLO x", "501"), ("REST x", "501"), ("REST 5", "350"), ("HOST x", "503"), ("FOO", "500"), ("RNTO x", "503"),
            ("SITE X", "504"), ("SITE HELP", "214"), ("RETR", "501"),
        ];
        foreach (var (command, reply) in cases) Assert.That(await client.CommandAsync(command), Does.StartWith(reply), command);
    }

    [TestCase("0.0.0.0")]
    [TestCase("::")]
    [TestCase("192.0.2.1")]
    public void A_test_server_listens_at_no_address_that_other_machines_reach(string address)
    {
        var other = System.Net.IPAddress.Parse(address);
        Assert.That(() => FtpTestServer.StartAsync(new() { Address = other }), Throws.ArgumentException.With.Message.Contains(address));
        Assert.That(() => SftpTestServer.StartAsync(new() { Address = other }), Throws.ArgumentException.With.Message.Contains(address));
    }

    [Test]
    public async Task The_server_speaks_IPv6()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Address = System.Net.IPAddress.IPv6Loopback });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(server.Uri.Host, Is.EqualTo("[::1]"));
        Assert.That(await client.CommandAsync("PASV"), Does.StartWith("425"));
        Assert.That(await client.CommandAsync("EPSV 1"), Does.StartWith("522"));
        Assert.That(await client.StoreAsync("STOR a", "x"u8.ToArray()), Does.StartWith("226"));
        Assert.That(Encoding.UTF8.GetString(await client.ReceiveAsync("RETR a")), Is.EqualTo("x"));
    }

    [Test]
    public async Task Disposing_ends_connections_and_listeners()
    {
        var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        var passive = await client.PassiveAsync();
        await using var idle = await RawFtp.ConnectAsync(server);
        await server.DisposeAsync();
        await server.DisposeAsync();
        Assert.That(await client.IsClosedAsync(), Is.True);
        Assert.That(server.CurrentConnections, Is.Zero);
        Assert.That(async () => await RawFtp.DialAsync(server.EndPoint), Throws.InstanceOf<System.Net.Sockets.SocketException>());
        Assert.That(async () => await RawFtp.DialAsync(passive), Throws.InstanceOf<System.Net.Sockets.SocketException>());
    }

    [Test]
    public async Task Connections_can_be_dropped_by_the_test()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.LogInAsync(server);
        server.DropConnections();
        Assert.That(await client.IsClosedAsync(), Is.True);
    }
}
