using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using Microsoft.Extensions.Logging;
using Transfer.Ftp;
using Transfer.Ftp.Ladders;
using Transfer.Ftp.Session;
using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Log-in: what is refused, what is never sent, what is asked for.</summary>
public sealed class LogInTests
{
    private static readonly FtpTlsOptions AnyCertificate = new() { AcceptAnyCertificate = true };

    [Test]
    public async Task A_wrong_password_is_tried_once_however_many_files_wait()
    {
        await using var ftp = await FtpHarness.StartAsync(
            options: FtpHarness.Options with { MaxSessions = 8, Credential = new TransferCredential("demo", "wrong") });
        using var folder = new TempFolder();
        for (var i = 0; i < 40; i++) folder.Add($"f{i}", [1]);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.UploadDirectoryAsync(folder.Path, "/in"));
        Assert.That(error.Error, Is.EqualTo(TransferError.Auth));
        Assert.That(error.ToString(), Does.Not.Contain("wrong"));
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "PASS"), Is.EqualTo(1));
    }

    [Test]
    public async Task What_the_server_can_do_is_asked_once()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { MaxSessions = 4 });
        using var folder = new TempFolder();
        for (var i = 0; i < 40; i++) folder.Add($"f{i}", FtpHarness.Content(500 + i, i));
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in", new() { Sessions = 4 });
        Assert.That(result.Failed, Is.Zero);
        Assert.That(ftp.Server.TotalConnections, Is.GreaterThan(1));
        foreach (var question in new[] { "SYST", "FEAT", "PWD" })
            Assert.That(ftp.Server.Commands.Count(c => c.Verb == question), Is.EqualTo(1), question);
        // What is true of one session only is said in each.
        foreach (var own in new[] { "OPTS", "TYPE" })
            Assert.That(ftp.Server.Commands.Count(c => c.Verb == own), Is.EqualTo(ftp.Server.TotalConnections), own);
    }

    [Test]
    public async Task A_session_whose_predecessor_got_no_answer_asks_itself()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.DropConnection("FEAT");
        Assert.That((await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask())).Error, Is.EqualTo(TransferError.Lost));
        await ftp.PutAsync("/a", [1, 2, 3]);
        Assert.That(await ftp.GetAsync("/a"), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "FEAT"), Is.EqualTo(2));
    }

    [Test]
    public async Task A_server_that_accepts_and_never_answers_is_a_timeout()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Impatient);
        ftp.Server.Faults.Stall(FtpFaults.Greeting, times: 99);
        var error = await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Timeout));
        Assert.That(error.Message, Does.Contain("ftps:"));
    }

    [Test]
    public async Task A_server_that_hangs_up_at_once_is_lost()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.DropConnection(FtpFaults.Greeting, times: 99);
        Assert.That((await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask())).Error, Is.EqualTo(TransferError.Lost));
    }

    [TestCase(3, 0)]
    [TestCase(0, 3)]
    public async Task A_servers_limit_is_kept_and_every_file_arrives(int all, int perUser)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { MaxConnections = all, MaxConnectionsPerUser = perUser },
            FtpHarness.Options with { MaxSessions = 8 });
        using var folder = new TempFolder();
        for (var i = 0; i < 60; i++) folder.Add($"f{i}", FtpHarness.Content(500 + i, i));
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((60L, 0L)),
            string.Join('\n', result.Failures.Take(3).Select(f => f.Error?.Message)));
        Assert.That(ftp.Store.Files.Count, Is.EqualTo(60));
        if (all > 0) Assert.That(ftp.Server.PeakConnections, Is.LessThanOrEqualTo(3));
        for (var i = 0; i < 60; i++) Same.Bytes(ftp.Store.ReadFile($"/in/f{i}"), FtpHarness.Content(500 + i, i));
    }

    [TestCase(2, 0)]
    [TestCase(0, 2)]
    public async Task A_servers_limit_is_remembered_from_one_client_to_the_next(int all, int perUser)
    {
        using var folder = new TempFolder();
        for (var i = 0; i < 40; i++) folder.Add($"in/f{i}", FtpHarness.Content(500 + i, i));
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { MaxConnections = all, MaxConnectionsPerUser = perUser },
            FtpHarness.Options with { MaxSessions = 8, LimitsFile = folder["limits"] });
        await ftp.Client.UploadDirectoryAsync(folder["in"], "/first");
        await ftp.Client.DisposeAsync();
        var opened = ftp.Server.TotalConnections;
        Assert.That(opened, Is.GreaterThan(2), "some were refused");
        await Eventually.TrueAsync(() => ftp.Server.CurrentConnections == 0, "all have gone");

        await using var second = new FtpTransferClient(ftp.Server.Uri,
            FtpHarness.Options with { MaxSessions = 8, LimitsFile = folder["limits"] });
        var result = await second.UploadDirectoryAsync(folder["in"], "/second");
        Assert.That((result.Files, result.Failed), Is.EqualTo((40L, 0L)));
        Assert.That(ftp.Server.TotalConnections - opened, Is.InRange(1, 2), "none was refused");
    }

    [Test]
    public async Task Without_tls_at_the_server_no_secret_is_sent()
    {
        await using var ftp = await FtpHarness.StartAsync(options: FtpHarness.Options with { TlsMode = FtpTlsMode.Explicit });
        var error = await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Tls));
        Assert.That(ftp.Server.Commands.Select(c => c.Verb), Is.EqualTo(new[] { "AUTH" }));
    }

    [Test]
    public async Task A_password_whose_refusal_comes_behind_the_next_replies_is_told_as_one([Values("PROT", "TYPE")] string verb)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            FtpHarness.Options with { Tls = AnyCertificate });
        ftp.Server.Faults.Reply(verb, "530 log in first");
        var error = await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask());
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Auth, 530)));
    }

    [Test]
    public async Task A_refused_PROT_fails_instead_of_going_on_in_the_clear()
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            FtpHarness.Options with { Tls = AnyCertificate });
        ftp.Server.Faults.Reply("PROT", "536 no");
        Assert.That((await FtpHarness.FailsAsync(() => ftp.PutAsync("/a", [1]))).Error, Is.EqualTo(TransferError.Tls));
        Assert.That(ftp.Store.Files, Is.Empty);
    }

    [TestCase("self-signed")]
    [TestCase("expired")]
    [TestCase("foreign name")]
    [TestCase("wrong pin")]
    public async Task A_certificate_that_proves_nothing_is_refused_before_the_password(string kind)
    {
        var now = DateTimeOffset.UtcNow;
        using var certificate = kind switch
        {
            "expired" => FtpTestCertificate.Create(notBefore: now.AddDays(-9), notAfter: now.AddDays(-1)),
            "foreign name" => FtpTestCertificate.Create(["other.example"]),
            _ => FtpTestCertificate.Create(),
        };
        // Beside what each case is about, the chain may be taken for trusted: a self-signed one never is.
        SslPolicyErrors? seen = null;
        var tls = kind switch
        {
            "foreign name" => new FtpTlsOptions { Validate = (_, _, _, errors) => Note(errors) },
            "wrong pin" => new FtpTlsOptions { Pins = ["SHA256:" + Convert.ToBase64String(new byte[32])] },
            _ => new FtpTlsOptions(),
        };
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit, Certificate = certificate },
            FtpHarness.Options with { Tls = tls });
        var error = await FtpHarness.FailsAsync(() => ftp.Client.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Tls), error.ToString());
        Assert.That(ftp.Server.Commands.Select(c => c.Verb), Does.Not.Contain("PASS").And.Not.Contain("USER"));
        if (kind == "foreign name") Assert.That(seen!.Value.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch), Is.True);

        bool Note(SslPolicyErrors errors)
        {
            seen = errors;
            return (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == SslPolicyErrors.None;
        }
    }

    [TestCase(FtpTestTls.Explicit, "SHA256:")]
    [TestCase(FtpTestTls.Implicit, "sha256//")]
    public async Task A_pinned_key_is_enough(FtpTestTls mode, string prefix)
    {
        using var certificate = FtpTestCertificate.Create();
        var pin = prefix + Convert.ToBase64String(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = mode, Certificate = certificate },
            FtpHarness.Options with { Tls = new FtpTlsOptions { Pins = [pin] } });
        await ftp.PutAsync("/a", [1, 2]);
        Assert.That(await ftp.GetAsync("/a"), Is.EqualTo(new byte[] { 1, 2 }));
    }

    [Test]
    [Platform("Linux")]
    public async Task A_server_that_insists_on_reuse_gets_its_files_over_tls_12([Values(1, 4)] int sessions)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = FtpTestTls.Explicit, RequireTlsSessionReuse = true },
            FtpHarness.Options with { MaxSessions = sessions, Tls = AnyCertificate });
        using var folder = new TempFolder();
        for (var i = 0; i < 24; i++) folder.Add($"f{i}", FtpHarness.Content(500 + i, i));
        var result = await ftp.Client.UploadDirectoryAsync(folder.Path, "/in");
        Assert.That((result.Files, result.Failed), Is.EqualTo((24L, 0L)),
            string.Join('\n', result.Failures.Take(3).Select(f => f.Error?.Message)));
        for (var i = 0; i < 24; i++) Same.Bytes(ftp.Store.ReadFile($"/in/f{i}"), FtpHarness.Content(500 + i, i));
    }

    [Test]
    public async Task A_greeting_chooses_TLS_12_at_the_first_contact_and_never_once_the_host_has_shown_that_it_does_without()
    {
        const string Insisting = "220 (vsFTPd 3.0.5)\r\n";
        var secured = new List<string>();
        var options = FtpHarness.Options with { Tls = AnyCertificate, LoggerFactory = new ControlSecured(secured) };
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit }, options);
        await ConnectAsync(transfers: 0);
        ftp.Server.Faults.Reply(FtpFaults.Greeting, Insisting, times: 4);
        await ConnectAsync(transfers: 2);
        await ConnectAsync(transfers: 0, SslProtocols.Tls13);
        Assert.That(secured, Is.EqualTo(new[] { "Tls13", "Tls12", "Tls13" }),
            "the second by its greeting, and nothing learned under 1.2; the third may not");
        await ConnectAsync(transfers: 2, SslProtocols.Tls13 | SslProtocols.Tls12);
        secured.Clear();

        // The embedded server's own greeting: two transfers of one session under 1.3.
        ftp.Server.Faults.Clear();
        await ConnectAsync(transfers: 2);
        ftp.Server.Faults.Reply(FtpFaults.Greeting, Insisting, times: 4);
        await ConnectAsync(transfers: 1);
        Assert.That(secured, Is.EqualTo(new[] { "Tls13", "Tls13" }));

        async Task ConnectAsync(int transfers, SslProtocols versions = SslProtocols.None)
        {
            await using var client = new FtpTransferClient(ftp.Server.Uri,
                options with { Tls = AnyCertificate with { Protocols = versions } });
            await client.ConnectAsync();
            for (var i = 0; i < transfers; i++)
                await client.UploadAsync(new MemoryStream([1]), $"/f{i}", new UploadOptions { Overwrite = OverwriteMode.Always });
        }
    }

    [TestCase(FtpTestTls.Explicit, false)]
    [TestCase(FtpTestTls.Explicit, true)]
    [TestCase(FtpTestTls.Implicit, true)]
    public async Task A_server_that_takes_TLS_13_only_is_reached_where_its_greeting_or_the_hosts_memory_chooses_12(
        FtpTestTls mode, bool isRemembered)
    {
        var server = new FtpTestServerOptions
        {
            Tls = mode,
            SslProtocols = SslProtocols.Tls13,
            Greeting = isRemembered ? "ready" : "(vsFTPd 3.0.5)",
        };
        await using var ftp = await FtpHarness.StartAsync(server, FtpHarness.Options with { Tls = AnyCertificate });
        var rungs = FtpHostState.For(ftp.Server.Uri.Host, ftp.Server.Uri.Port).Rungs;
        if (isRemembered) rungs.Lower(FtpAbility.DataTls, (int)FtpTlsRung.Tls12, mayPass: false);
        await ftp.PutAsync("/a", [1, 2]);
        Assert.That(rungs.ToString(), Does.Not.Contain("a3="), "an attacker may have written the alert: other processes ask the server");
        Assert.That(await ftp.GetAsync("/a"), Is.EqualTo(new byte[] { 1, 2 }));
        await ftp.GetAsync("/a");
        Assert.That(rungs.ToString(), Does.Contain("a3=2"), "data connections work without resumption");
        await using (var second = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { Tls = AnyCertificate }))
            await second.ConnectAsync();
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "AUTH"), Is.EqualTo(mode == FtpTestTls.Implicit ? 0 : 3),
            "the first client was refused once, the second is not");

        await using var forced = new FtpTransferClient(ftp.Server.Uri,
            FtpHarness.Options with { Tls = AnyCertificate with { Protocols = SslProtocols.Tls12 } });
        var error = await FtpHarness.FailsAsync(() => forced.ConnectAsync().AsTask());
        Assert.That(error.Error, Is.EqualTo(TransferError.Tls), error.ToString());
        Assert.That(error.Message, Does.Contain("--tls-min").And.Contain("FtpTlsOptions.Protocols"));
    }

    [TestCase("SHA256:")]
    [TestCase("sha256//")]
    [TestCase("SHA256:AAAA")]
    [TestCase("sha1//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [TestCase("my-password")]
    public void A_malformed_pin_is_refused_when_the_client_is_made(string pin)
    {
        var options = FtpHarness.Options with { Tls = new FtpTlsOptions { Pins = [pin] } };
        var error = Assert.Throws<ArgumentException>(() => _ = new FtpTransferClient(new Uri("ftpes://host.invalid"), options))!;
        Assert.That(error.Message, Does.Not.Contain("my-password"));
    }

    [Test]
    [Platform("Linux")]
    public async Task A_session_that_logs_in_while_another_learns_of_it_is_opened_anew_over_tls_12()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = FtpTestTls.Explicit, RequireTlsSessionReuse = true },
            FtpHarness.Options with { Tls = AnyCertificate });
        var password = ftp.Server.Faults.Stall("PASS");
        var connecting = ftp.Client.ConnectAsync().AsTask();
        await password.FirstFired;
        FtpHostState.For(ftp.Server.Uri.Host, ftp.Server.Uri.Port).Rungs.Lower(FtpAbility.DataTls, (int)FtpTlsRung.Tls12, mayPass: false);
        password.Release();
        await connecting;
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "PASS"), Is.EqualTo(2));
        await ftp.PutAsync("/a", FtpHarness.Content(1000));
        Same.Bytes(await ftp.GetAsync("/a"), FtpHarness.Content(1000));
        Assert.That(ftp.Server.Commands.Count(c => c.Verb == "PASS"), Is.EqualTo(2));
    }

    [TestCase(SslProtocols.Tls12)]
    [TestCase(SslProtocols.Tls13)]
    public async Task Both_versions_of_tls_work_with_and_without_protected_data(SslProtocols version)
    {
        foreach (var protect in (bool[])[true, false])
        {
            await using var ftp = await FtpHarness.StartAsync(
                new FtpTestServerOptions { Tls = FtpTestTls.Explicit, SslProtocols = version },
                FtpHarness.Options with { Tls = AnyCertificate with { ProtectData = protect } });
            await ftp.PutAsync("/a", FtpHarness.Content(100_000));
            Same.Bytes(await ftp.GetAsync("/a"), FtpHarness.Content(100_000));
        }
    }

    [Test]
    public async Task After_CCC_the_session_goes_on_in_the_clear()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Tls = FtpTestTls.Explicit },
            FtpHarness.Options with { Tls = AnyCertificate with { ClearControl = true } });
        await ftp.PutAsync("/a", FtpHarness.Content(100_000));
        Same.Bytes(await ftp.GetAsync("/a"), FtpHarness.Content(100_000));
    }

    [Test]
    public async Task Host_account_and_client_name_are_told_in_the_right_order()
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Account = "cost-centre" },
            FtpHarness.Options with { Account = new FtpAccount("cost-centre"), VirtualHost = "files.example", ClientName = "Tests 1.0" });
        await ftp.PutAsync("/a", [1]);
        Assert.That(ftp.Server.Commands.Take(5).Select(c => c.Verb), Is.EqualTo(new[] { "HOST", "USER", "PASS", "ACCT", "CLNT" }));
    }

    [TestCase("other")]
    [TestCase(null)]
    public async Task A_wrong_or_missing_account_is_an_authentication_error(string? account)
    {
        await using var ftp = await FtpHarness.StartAsync(
            new FtpTestServerOptions { Account = "cost-centre" },
            FtpHarness.Options with { Account = account is null ? null : new FtpAccount(account) });
        Assert.That((await FtpHarness.FailsAsync(() => ftp.PutAsync("/a", [1]))).Error, Is.EqualTo(TransferError.Auth));
    }

    [Test]
    public async Task A_name_refused_without_TLS_suggests_TLS()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Server.Faults.Reply("USER", "530 Non-anonymous sessions must use encryption.");
        var error = await FtpHarness.FailsAsync(() => ftp.PutAsync("/a", [1]));
        Assert.That((error.Error, error.ServerCode), Is.EqualTo((TransferError.Auth, 530)));
        Assert.That(error.Message, Does.Contain("ftpes:"));
    }

    /// <summary>Keeps the versions of control connections.</summary>
    private sealed class ControlSecured(List<string> versions) : ILoggerFactory, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            if (eventId.Id != 2004) return;
            lock (versions)
                versions.Add(((IEnumerable<KeyValuePair<string, object?>>)state!).First(pair => pair.Key == "Protocol").Value!.ToString()!);
        }

        public void Dispose()
        {
        }
    }
}
