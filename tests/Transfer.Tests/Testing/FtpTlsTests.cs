using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

internal sealed class FtpTlsTests
{
    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task Explicit_TLS_protects_control_and_data(SslProtocols protocol)
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, SslProtocols = protocol });
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        Assert.That(await client.CommandAsync("FEAT"), Does.Contain("\n AUTH TLS\n").And.Contain("\n PBSZ\n").And.Contain("\n PROT\n"));
        Assert.That(await client.CommandAsync("PBSZ 0"), Does.StartWith("503"));
        Assert.That(await client.CommandAsync("AUTH GSSAPI"), Does.StartWith("504"));
        var ssl = await client.SecureAsync();
        Assert.That(ssl.SslProtocol, Is.EqualTo(protocol));
        Assert.That(ssl.RemoteCertificate!.GetCertHashString(), Is.EqualTo(server.Certificate!.GetCertHashString()));
        await client.LogInAsync();
        Assert.That(await client.CommandAsync("AUTH TLS"), Does.StartWith("503"));
        Assert.That(await client.CommandAsync("PROT P"), Does.StartWith("503"));
        Assert.That(await client.CommandAsync("PBSZ 0"), Does.StartWith("200"));
        Assert.That(await client.CommandAsync("PROT S"), Does.StartWith("536"));
        Assert.That(await client.CommandAsync("PROT X"), Does.StartWith("504"));
        Assert.That(await client.CommandAsync("PROT P"), Does.StartWith("200"));
        var content = FtpTransferTests.Bytes(200_000);
        Assert.That(await client.StoreAsync("STOR a", content, SecureAsync), Does.StartWith("226"));
        Same.Bytes(await client.ReceiveAsync("RETR a", wrap: SecureAsync), content);
        Assert.That(await client.CommandAsync("PROT C"), Does.StartWith("200"));
        Same.Bytes(await client.ReceiveAsync("RETR a"), content);
        Assert.That(await client.CommandAsync("QUIT"), Does.StartWith("221"));
    }

    [Test]
    public async Task Implicit_TLS_starts_with_the_first_byte()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Implicit });
        Assert.That(server.Uri.Scheme, Is.EqualTo("ftps"));
        await using var client = await RawFtp.ConnectAsync(server);
        await client.HandshakeAsync();
        Assert.That(await client.ReplyAsync(), Does.StartWith("220"));
        await client.LogInAsync();
        Assert.That(await client.StoreAsync("STOR a", "x"u8.ToArray(), SecureAsync), Does.StartWith("226"));
    }

    /// <summary>
    /// Go's TLS never reads on a connection that it only writes to. Were the server's session tickets there when it closes, the system
    /// would send a RST in place of a FIN
    /// (RFC 1122 section 4.2.2.13), and what it had not sent yet would be lost.
    /// </summary>
    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task An_upload_arrives_whole_from_a_client_that_reads_nothing(SslProtocols protocol)
    {
        var store = new MemoryStore();
        var content = FtpTransferTests.Bytes(250_000);
        await using var server =
            await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, SslProtocols = protocol, Store = store });
        var stall = server.Faults.StallData(0, "STOR");
        await using var client = await LogInSecurelyAsync(server, "localhost");
        using (var data = await RawFtp.DialAsync(await client.PassiveAsync()))
        {
            data.SendBufferSize = 2 * content.Length;
            await client.SendAsync("STOR a\r\n");
            Assert.That(await client.ReplyAsync(), Does.StartWith("150"));
            var ssl = await RawFtp.HandshakeAsync(new NetworkStream(data, ownsSocket: false));
            await stall.FirstFired.WaitAsync(RawFtp.Patience);

            // The server reads nothing yet: most of it waits in the client's system, and so does close_notify.
            await ssl.WriteAsync(content).AsTask().WaitAsync(RawFtp.Patience);
            await ssl.ShutdownAsync().WaitAsync(RawFtp.Patience);
        }

        stall.Release();
        Assert.That(await client.ReplyAsync(), Does.StartWith("226"));
        Same.Bytes(store.ReadFile("/a"), content);
    }

    [Test]
    public async Task Without_TLS_AUTH_is_refused()
    {
        await using var server = await FtpTestServer.StartAsync();
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        Assert.That(await client.CommandAsync("AUTH TLS"), Does.StartWith("502"));
        Assert.That(await client.CommandAsync("FEAT"), Does.Not.Contain("AUTH"));
        Assert.That((server.Certificate, server.Uri.Scheme), Is.EqualTo(((X509Certificate2?)null, "ftp")));
    }

    [Test]
    public async Task Nothing_may_follow_AUTH_in_the_same_write()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit });
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        await client.SendAsync("AUTH TLS\r\nUSER demo\r\n");
        Assert.That(await client.ReplyAsync(), Does.StartWith("503"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("331"));
        await client.SecureAsync();
        await client.LogInAsync();
    }

    [Test]
    public async Task TLS_can_be_required()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, RequireTls = true });
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        Assert.That(await client.CommandAsync("USER demo"), Does.StartWith("530"));
        await client.SecureAsync();
        await client.LogInAsync();
        await client.PassiveAsync();
        Assert.That(await client.CommandAsync("LIST"), Does.StartWith("522"));
        await client.CommandAsync("PBSZ 0");
        Assert.That(await client.CommandAsync("PROT C"), Does.StartWith("534"));
        Assert.That(await client.CommandAsync("PROT P"), Does.StartWith("200"));
        Assert.That(await client.ReceiveAsync("LIST", wrap: SecureAsync), Is.Empty);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task CCC_goes_on_in_the_clear(bool closeNotify)
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit });
        await using var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        var ssl = await client.SecureAsync();
        await client.LogInAsync();
        Assert.That(await client.CommandAsync("CCC"), Does.StartWith("200"));

        // The server's close_notify ends the reading side; ours is what well-behaved clients send, and others leave out.
        Assert.That(await ssl.ReadAsync(new byte[1]).AsTask().WaitAsync(RawFtp.Patience), Is.Zero);
        if (closeNotify) await ssl.ShutdownAsync();
        client.Unsecure();
        Assert.That(await client.CommandAsync("PWD"), Does.StartWith("257"));
        Assert.That(await client.CommandAsync("CCC"), Does.StartWith("533"));
        Assert.That(await client.CommandAsync("NOOP"), Does.StartWith("200"));
    }

    [Test]
    public async Task Data_connections_must_resume_their_own_session()
    {
        await using var server = await FtpTestServer.StartAsync(
            new() { Tls = FtpTestTls.Explicit, SslProtocols = SslProtocols.Tls12, RequireTlsSessionReuse = true });
        await using var client = await LogInSecurelyAsync(server, "reuse-a.test");
        for (var i = 0; i < 3; i++)
        {
            Assert.That(await client.StoreAsync("STOR a", "x"u8.ToArray(), stream => SecureAsync(stream, "reuse-a.test")),
                Does.StartWith("226"));
        }

        Assert.That(server.ResumedDataConnections, Is.EqualTo(3));

        await using var other = await LogInSecurelyAsync(server, "reuse-b.test");
        Assert.That(await RefusedAsync(client, "reuse-b.test"), Does.StartWith("522"), "a session of another control connection");
        Assert.That(await RefusedAsync(client, "reuse-c.test"), Does.StartWith("522"), "no session at all");
        Assert.That(server.DataConnections, Is.EqualTo(3));
        Assert.That(await client.CommandAsync("NOOP"), Does.StartWith("200"));
    }

    [Test]
    public async Task Resumption_is_seen_with_TLS_13_too()
    {
        await using var server = await FtpTestServer.StartAsync(
            new() { Tls = FtpTestTls.Explicit, SslProtocols = SslProtocols.Tls13, RequireTlsSessionReuse = true });
        await using var client = await LogInSecurelyAsync(server, "reuse-13.test");
        Assert.That(await client.StoreAsync("STOR a", "x"u8.ToArray(), stream => SecureAsync(stream, "reuse-13.test")),
            Does.StartWith("226"));
        Assert.That(await RefusedAsync(client, "reuse-13-other.test"), Does.StartWith("522"));
        Assert.That(server.ResumedDataConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task A_client_certificate_can_be_required()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Implicit, RequireClientCertificate = true });
        await using (var without = await RawFtp.ConnectAsync(server))
        {
            Assert.That(async () => { await without.HandshakeAsync(); await without.ReplyAsync(); },
                Throws.InstanceOf<IOException>().Or.InstanceOf<AuthenticationException>());
        }

        using var certificate = FtpTestCertificate.Create(["client"]);
        await using var with = await RawFtp.ConnectAsync(server);
        var options = new SslClientAuthenticationOptions
        { ClientCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true) };
        var ssl = await RawFtp.HandshakeAsync(with.Stream, options: options);
        var greeting = new byte[64];
        var count = await ssl.ReadAsync(greeting).AsTask().WaitAsync(RawFtp.Patience);
        Assert.That(System.Text.Encoding.ASCII.GetString(greeting, 0, count), Does.StartWith("220"));
    }

    [TestCase(true, "426")]
    [TestCase(false, "226")]
    public async Task An_upload_without_close_notify_can_be_refused(bool required, string code)
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit, RequireCloseNotify = required });
        await using var client = await LogInSecurelyAsync(server, "localhost");
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        await client.SendAsync("STOR a\r\n");
        var ssl = await SecureAsync(new NetworkStream(data));
        await ssl.WriteAsync("half a fi"u8.ToArray());
        data.Shutdown(SocketShutdown.Send);
        Assert.That(await client.ReplyAsync(), Does.StartWith("150"));
        Assert.That(await client.ReplyAsync(), Does.StartWith(code));
        Assert.That(await client.StoreAsync("STOR a", "whole"u8.ToArray(), SecureAsync), Does.StartWith("226"));
    }

    [Test]
    public async Task A_data_connection_without_TLS_is_answered_522()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Explicit });
        await using var client = await LogInSecurelyAsync(server, "localhost");
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        await data.SendAsync("this is no ClientHello at all"u8.ToArray());
        Assert.That(await client.CommandAsync("STOR a"), Does.StartWith("150"));
        Assert.That(await client.ReplyAsync(), Does.StartWith("522"));
    }

    [Test]
    public void Certificates_have_the_names_and_times_asked_for()
    {
        using var usual = FtpTestCertificate.Create();
        Assert.That(usual.MatchesHostname("localhost") && usual.MatchesHostname("127.0.0.1") && usual.MatchesHostname("::1"), Is.True);
        Assert.That(usual.HasPrivateKey, Is.True);
        var before = new DateTimeOffset(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using var expired = FtpTestCertificate.Create(["ftp.test"], before, before.AddDays(1));
        Assert.That(expired.MatchesHostname("ftp.test"), Is.True);
        Assert.That(expired.MatchesHostname("localhost"), Is.False);
        Assert.That(expired.NotAfter.ToUniversalTime(), Is.EqualTo(before.AddDays(1).UtcDateTime));
    }

    [Test]
    public async Task A_certificate_of_ones_own_is_shown()
    {
        using var own = FtpTestCertificate.Create(["ftp.test"]);
        await using (var server = await FtpTestServer.StartAsync(new() { Tls = FtpTestTls.Implicit, Certificate = own }))
        {
            await using var client = await RawFtp.ConnectAsync(server);
            var ssl = await client.HandshakeAsync();
            Assert.That(ssl.RemoteCertificate!.GetCertHashString(), Is.EqualTo(own.GetCertHashString()));
        }

        Assert.That(own.HasPrivateKey, Is.True, "it still belongs to the caller");
    }

    internal static async Task<RawFtp> LogInSecurelyAsync(FtpTestServer server, string host)
    {
        var client = await RawFtp.ConnectAsync(server);
        await client.ReplyAsync();
        await client.SecureAsync(host);
        await client.LogInAsync();
        await client.CommandAsync("PBSZ 0");
        await client.CommandAsync("PROT P");
        return client;
    }

    internal static Task<Stream> SecureAsync(Stream stream) => SecureAsync(stream, "localhost");

    private static async Task<Stream> SecureAsync(Stream stream, string host) => await RawFtp.HandshakeAsync(stream, host);

    private static async Task<string> RefusedAsync(RawFtp client, string host)
    {
        using var data = await RawFtp.DialAsync(await client.PassiveAsync());
        Assert.That(await client.CommandAsync("STOR b"), Does.StartWith("150"));
        await SecureAsync(new NetworkStream(data), host);
        return await client.ReplyAsync();
    }
}
