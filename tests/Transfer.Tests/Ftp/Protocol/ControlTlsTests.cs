using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Transfer.Ftp.Protocol;
using Transfer.TestSupport.Network;

namespace Transfer.Tests.Ftp.Protocol;

[CancelAfter(30_000)]
internal sealed class ControlTlsTests
{
    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task Explicit_TLS_starts_after_234_and_commands_travel_under_it(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await OpenAsync(t => t with { AcceptAnyCertificate = true, Enabled = version });
        await using var server = await h.StartTlsAsync(certificate);
        Assert.That((h.Control.IsTls, h.Control.TlsProtocol), Is.EqualTo((true, version)));
        Assert.That(h.Control.PeerCertificateHash, Is.EqualTo(SHA256.HashData(certificate.RawData)));
        Assert.That(h.Control.Tls!.TargetHost, Is.EqualTo("localhost").IgnoreCase.And.Not.EqualTo("localhost"));
        var reply = h.Control.ExecuteAsync(new("PWD"), CancellationToken.None);
        Assert.That(await ReadLineAsync(server), Is.EqualTo("PWD\r\n"));
        await server.WriteAsync("257 \"/\"\r\n"u8.ToArray());
        Assert.That((await reply).Code, Is.EqualTo(257));
    }

    [Test]
    public async Task Implicit_TLS_starts_before_the_greeting(CancellationToken ct)
    {
        using var certificate = TestCertificate.Create();
        var (client, link) = MemoryLink.Create();
        var opening = ControlConnection.AttachAsync(
            client,
            new ControlConnectionSettings
            {
                Host = "localhost",
                Logger = new LogRecorder(),
                ImplicitTls = true,
                Tls = Settings with { AcceptAnyCertificate = true }
            },
            ct);
        await using var server = new SslStream(link);
        await server.AuthenticateAsServerAsync(certificate);
        await server.WriteAsync("220 hidden\r\n"u8.ToArray(), ct);
        await using var control = await opening;
        Assert.That((await control.GreetingAsync(ct)).Text, Is.EqualTo("hidden"));
    }

    [Test]
    public async Task Plain_bytes_behind_the_234_are_fatal(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go", "230 you are logged in");
        await auth;
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.Control.StartTlsAsync(ct));
        Assert.That((e!.Error, h.Control.Usable), Is.EqualTo((TransferError.Tls, false)));
        await h.ReceivedAsync();
        Assert.That(await h.ReceivedAsync(), Is.Null, "no ClientHello was sent");
    }

    [Test]
    public async Task Plain_bytes_that_come_later_fail_the_handshake(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go");
        await auth;
        var start = h.Control.StartTlsAsync(ct).AsTask();
        await h.ReplyAsync("230 you are logged in");
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => start);
        Assert.That((e!.Error, h.Control.Usable), Is.EqualTo((TransferError.Tls, false)));
    }

    [Test]
    public async Task Nothing_is_sent_in_plain_text_once_AUTH_was_granted(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go");
        await auth;
        await Assert.ThrowsAsync<InvalidOperationException>(async () => await h.Control.SendAsync([new("PASS", "x")], ct));
    }

    [TestCase("localhost", false, "localhost", "self-signed")]
    [TestCase("localhost", true, "localhost", "expired on")]
    [TestCase("other.example", false, "localhost", "it is for other.example, not for localhost")]
    [TestCase("localhost", false, "127.0.0.1", "it is for localhost, not for 127.0.0.1")]
    public async Task A_bad_certificate_is_refused_and_the_message_says_why(string name, bool expired, string host, string why)
    {
        using var certificate = TestCertificate.Create(name, expired);
        await using var h = await OpenAsync(t => t with { ServerName = host });
        var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(certificate));
        Assert.That((e!.Error, h.Control.Usable, h.Control.IsTls), Is.EqualTo((TransferError.Tls, false, false)));
        Assert.That(e.Message, Does.Contain(why));
    }

    [TestCase("the system's trust", false)]
    [TestCase("a file of authorities", false)]
    [TestCase("the application's judgement", true)]
    [TestCase("any", true)]
    [TestCase("a pin", true)]
    public async Task Nothing_is_fetched_from_an_address_in_the_certificate(string trust, bool isTaken)
    {
        var fetches = 0;
        await using var web = new LoopbackServer(async (stream, ct) =>
        {
            Interlocked.Increment(ref fetches);
            await stream.ReadAtLeastAsync(new byte[1000], 1, throwOnEndOfStream: false, ct);
            await stream.WriteAsync("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"u8.ToArray(), ct);
        });
        using var certificate = TestCertificate.CreateIssued(new Uri($"http://127.0.0.1:{web.Port}/issuer"));
        using var other = TestCertificate.Create();
        await using var h = await OpenAsync(settings => trust switch
        {
            "a file of authorities" => settings with { Authorities = [other] },
            "the application's judgement" => settings with { CustomValidation = (_, shown, _, _) => shown is not null },
            "any" => settings with { AcceptAnyCertificate = true },
            "a pin" => settings with { Pins = ["SHA256:" + CertificateCheck.PinOf(certificate)] },
            _ => settings,
        });
        if (isTaken)
        {
            await using var server = await h.StartTlsAsync(certificate);
        }
        else
        {
            var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(certificate));
            Assert.That(e!.Message, Does.Contain("the certificates in between"));
        }
        Assert.That(Volatile.Read(ref fetches), Is.Zero);
    }

    [TestCase("300582 0361E962", "localhost")] // a DNS name beyond IA5
    [TestCase("300582 0361E962", "127.0.0.1")]
    [TestCase("3007 8705 0102030405", "localhost")] // an address of five bytes
    [TestCase("3007 8705 0102030405", "127.0.0.1")]
    [TestCase("30FF", "localhost")]
    [TestCase("30FF", "127.0.0.1")]
    public async Task A_certificate_with_malformed_names_is_refused_and_taken_only_where_names_do_not_count(string names, string host)
    {
        using var certificate = TestCertificate.CreateWithNames(Convert.FromHexString(names.Replace(" ", "", StringComparison.Ordinal)));
        await using (var h = await OpenAsync(t => t with { ServerName = host }))
        {
            var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(certificate));
            Assert.That((e!.Error, h.Control.Usable, h.Control.IsTls), Is.EqualTo((TransferError.Tls, false, false)));
        }
        await using (var h = await OpenAsync(t => t with { ServerName = host, CustomValidation = ReadNames }))
        {
            var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(certificate));
            Assert.That(e!.Error, Is.EqualTo(TransferError.Tls));
        }
        await using (var h = await OpenAsync(t => t with { ServerName = host, AcceptAnyCertificate = true }))
        {
            await using var server = await h.StartTlsAsync(certificate);
            Assert.That(h.Control.IsTls, Is.True);
        }

        static bool ReadNames(object sender, X509Certificate? shown, X509Chain? chain, SslPolicyErrors errors) =>
            ((X509Certificate2)shown!).MatchesHostname("localhost");
    }

    [TestCase("127.0.0.1", "127.0.0.1", false)]
    [TestCase("::1", "::1", false)]
    [TestCase("127.0.0.1", "127.0.0.2", true)]
    [TestCase("127.0.0.1", "c0.ip-127-0-0-1-x.transfer.invalid", true)]
    [TestCase("LocalHost", "localhost", false)]
    [TestCase("localhost", "other.example", true)]
    public async Task The_name_check_is_against_the_host_the_user_wrote(string host, string certified, bool mismatch)
    {
        using var certificate = TestCertificate.Create(certified);
        SslPolicyErrors? seen = null;
        await using var h = await OpenAsync(t => t with
        {
            ServerName = host,
            CustomValidation = (_, _, _, errors) =>
            {
                seen = errors;
                return seen is not null;
            },
        });
        await using var server = await h.StartTlsAsync(certificate);
        Assert.That(seen!.Value.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch), Is.EqualTo(mismatch));
        Assert.That(h.Control.Tls!.Reuses, Is.True);
    }

    [Test]
    public async Task A_pinned_key_is_trust_enough_and_another_key_is_none()
    {
        using var certificate = TestCertificate.Create("other.example", expired: true);
        var pin = "SHA256:" + Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
        await using (var h = await OpenAsync(t => t with { Pins = [pin.TrimEnd('=')] }))
        {
            await using var server = await h.StartTlsAsync(certificate);
            Assert.That(h.Control.IsTls, Is.True);
        }

        using var another = TestCertificate.Create();
        await using (var h = await OpenAsync(t => t with { Pins = [pin], AcceptAnyCertificate = true }))
        {
            var e = await Assert.ThrowsAsync<TransferConnectionException>(async () => await h.StartTlsAsync(another));
            Assert.That(e!.Error, Is.EqualTo(TransferError.Tls));
            Assert.That(e.Message, Does.Contain("not a pinned one"));
        }
    }

    [Test]
    public async Task The_client_certificate_is_sent()
    {
        using var certificate = TestCertificate.Create();
        using var mine = TestCertificate.Create("me.example");
        await using var h =
            await OpenAsync(t => t with { AcceptAnyCertificate = true, ClientCertificate = TlsSettings.CreateClientCertificate([mine]) });
        await using var server = await h.StartTlsAsync(certificate, askForCertificate: true);
        Assert.That(server.RemoteCertificate!.GetRawCertData(), Is.EqualTo(mine.RawData));
    }

    [Test]
    public void A_client_certificate_needs_a_private_key()
    {
        using var certificate = TestCertificate.Create();
        using var bare = X509CertificateLoader.LoadCertificate(certificate.RawData);
        Assert.That(() => TlsSettings.CreateClientCertificate([bare]), Throws.ArgumentException);
        Assert.That(TlsSettings.CreateClientCertificate([]), Is.Null);
    }

    [Test]
    public async Task A_handshake_nobody_answers_times_out(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go");
        await auth;
        var start = h.Control.StartTlsAsync(ct).AsTask();
        await h.ReceivedAsync();
        await h.ReceivedAsync();
        h.Clock.Advance(TimeSpan.FromSeconds(61));
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => start);
        Assert.That((e!.Error, h.Control.Usable), Is.EqualTo((TransferError.Timeout, false)));
    }

    [Test]
    public async Task A_canceled_handshake_is_a_cancellation_and_the_end(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go");
        await auth;
        using var cts = new CancellationTokenSource();
        var start = h.Control.StartTlsAsync(cts.Token).AsTask();
        await cts.CancelAsync();
        var e = await Assert.CatchAsync<OperationCanceledException>(() => start);
        Assert.That(e!.CancellationToken, Is.EqualTo(cts.Token));
        Assert.That(h.Control.Usable, Is.False);
    }

    [Test]
    public async Task A_server_that_does_not_like_the_synthetic_name_is_asked_without_one_next_time(CancellationToken ct)
    {
        const string Host = "192.0.2.77";
        await using (var h = await OpenAsync(t => t with { ServerName = Host, AcceptAnyCertificate = true }))
        {
            var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
            await h.ReplyAsync("234 go");
            await auth;
            var start = h.Control.StartTlsAsync(ct).AsTask();
            await h.ReceivedAsync();
            Assert.That(Encoding.ASCII.GetString((await h.Server.ReadChunkAsync())!), Does.Contain("ip-192-0-2-77-x.transfer.invalid"));
            await h.Server.WriteAsync(new byte[] { 21, 3, 3, 0, 2, 2, 112 }, ct); // alert: fatal, unrecognized_name
            var e = await Assert.ThrowsAsync<TransferConnectionException>(() => start);
            Assert.That((e!.Error, e.IsTransient), Is.EqualTo((TransferError.Tls, true)));
        }

        using var certificate = TestCertificate.Create();
        await using (var h = await OpenAsync(t => t with { ServerName = Host, AcceptAnyCertificate = true }))
        {
            await using var server = await h.StartTlsAsync(certificate);
            Assert.That((h.Control.Tls!.TargetHost, h.Control.Tls.Reuses), Is.EqualTo((Host, false)));
            Assert.That(h.Log.Lines, Has.Some.Contains("can't resume"));
        }
    }

    [Test]
    public async Task A_server_that_hangs_up_in_the_handshake_is_lost(CancellationToken ct)
    {
        await using var h = await OpenAsync(t => t);
        var auth = h.Control.ExecuteAsync(new("AUTH", "TLS"), ct);
        await h.ReplyAsync("234 go");
        await auth;
        var start = h.Control.StartTlsAsync(ct).AsTask();
        h.Server.End();
        var e = await Assert.ThrowsAsync<TransferConnectionException>(() => start);
        Assert.That(e!.Error, Is.EqualTo(TransferError.Lost));
    }

    [Test]
    public async Task A_server_without_a_common_version_is_a_TLS_error()
    {
        using var certificate = TestCertificate.Create();
        await using var h = await OpenAsync(t => t with { AcceptAnyCertificate = true, Enabled = SslProtocols.Tls13 });
        var e = await Assert.ThrowsAsync<TransferConnectionException>(
            async () => await h.StartTlsAsync(certificate, version: SslProtocols.Tls12));
        Assert.That(e!.Error, Is.EqualTo(TransferError.Tls));
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task CCC_ends_TLS_with_close_notify_and_goes_on_in_plain_text(SslProtocols version)
    {
        using var certificate = TestCertificate.Create();
        await using var h = await OpenAsync(t => t with { AcceptAnyCertificate = true, Enabled = version });
        var server = await h.StartTlsAsync(certificate, leaveOpen: true);
        var ccc = h.Control.ExecuteAsync(new("CCC"), CancellationToken.None);
        await ReadLineAsync(server);
        await server.WriteAsync("200 clear\r\n"u8.ToArray());
        await ccc;
        var stop = h.Control.StopTlsAsync(CancellationToken.None).AsTask();
        Assert.That(await server.ReadAsync(new byte[10]), Is.Zero, "close_notify");
        Assert.That(stop.IsCompleted, Is.False);
        await server.ShutdownAsync();
        await stop;
        Assert.That((h.Control.IsTls, h.Control.TlsProtocol), Is.EqualTo((false, SslProtocols.None)));
        Assert.That(h.Control.Tls, Is.Not.Null, "data connections stay protected");
        var noop = h.Control.ExecuteAsync(new("NOOP"), CancellationToken.None);
        Assert.That(await h.ReceivedAsync(), Is.EqualTo("NOOP\r\n"));
        await h.ReplyAsync("200 ok");
        Assert.That((await noop).Code, Is.EqualTo(200));
    }

    [Test]
    public async Task The_target_host_is_given_back_when_the_connection_closes()
    {
        using var certificate = TestCertificate.Create();
        List<string> names = [];
        for (var i = 0; i < 3; i++)
        {
            await using var h = await OpenAsync(t => t with { ServerName = "q.x", AcceptAnyCertificate = true });
            await using var server = await h.StartTlsAsync(certificate);
            names.Add(h.Control.Tls!.TargetHost);
        }

        Assert.That(names.Distinct(StringComparer.Ordinal).Count(), Is.EqualTo(1));
    }

    private static TlsSettings Settings { get; } = new() { ServerName = "localhost" };

    internal static Task<ControlHarness> OpenAsync(Func<TlsSettings, TlsSettings> with) =>
        ControlHarness.OpenAsync(with: s => s with { Tls = with(Settings) });

    private static async Task<string> ReadLineAsync(Stream stream)
    {
        var line = new StringBuilder();
        var one = new byte[1];
        while (!line.ToString().EndsWith('\n') && await stream.ReadAsync(one) > 0)
            line.Append((char)one[0]);
        return line.ToString();
    }
}
