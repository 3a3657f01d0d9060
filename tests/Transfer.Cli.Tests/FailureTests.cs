using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>What goes wrong, and how the command says so. No output ever holds the password.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class FailureTests : IAsyncDisposable
{
    private const string Secret = "s3cr3t-pa55";

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private FtpTestServer? _server;

    public async ValueTask DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
        _folder.Dispose();
    }

    [TestCase("put")]
    [TestCase("get")]
    [TestCase("ls")]
    [TestCase("rm")]
    public async Task A_wrong_password_ends_with_4(string verb)
    {
        await StartAsync();
        var url = Url("/a", "wrong-" + Secret);
        string[] args = verb switch { "put" => [_folder.Add("a", "x"), url], "get" => [url, _folder.Path], _ => [url] };
        var result = await RunAsync([verb, "-v", .. args]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied), result.ToString());
    }

    [Test]
    public async Task A_wrong_password_is_tried_once_and_not_once_a_file()
    {
        await StartAsync();
        var sources = Enumerable.Range(0, 20).Select(i => _folder.Add($"{i}", "x")).ToArray();
        var result = await RunAsync(["put", "--json", .. sources, Url("/in/", "wrong-" + Secret)]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied), result.ToString());
        Assert.That(_server!.Commands.Count(c => c.Verb == "PASS"), Is.EqualTo(1));
        using var json = JsonDocument.Parse(result.Output);
        Assert.That(json.RootElement.GetProperty("failed")[0].GetProperty("error").GetString(), Is.EqualTo("auth"));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task A_name_with_line_ends_forges_no_line_and_json_has_it_exactly()
    {
        await StartAsync();
        const string Name = "a\ntransfer: forged\r\u2028b\u0085c\u001b[2K\u202e";
        _folder.Add("in/" + Name, "x");
        foreach (var verbose in new[] { "-v", "--quiet" })
        {
            var result = await RunAsync("put", "--json", verbose, _folder["in"], Url("/x"));
            Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
            Assert.That(result.Error.Split('\n'), Has.None.StartsWith("transfer: forged"));
            Assert.That(result.Error.Where(c => c != '\n'), Has.None.Matches<char>(c => char.IsControl(c) || c is '\u2028' or '\u202e'),
                result.Error);
            using var json = JsonDocument.Parse(result.Output);
            var failed = json.RootElement.GetProperty("failed")[0];
            Assert.That(failed.GetProperty("path").GetString(), Does.EndWith(Name));
            Assert.That(failed.GetProperty("message").GetString(), Does.Contain("a?transfer: forged").And.Not.Contain("\n"));
        }
    }

    [Test]
    public async Task Unfinished_files_of_transfers_are_left_out_of_a_folder_with_a_notice()
    {
        const string Unfinished = ".transfer-0123456789abcdef-7.part";
        await StartAsync();
        _store.AddFile("/d/whole", "x"u8);
        _store.AddFile("/d/" + Unfinished, "half"u8);
        var result = await RunAsync("get", Url("/d/"), _folder["down"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.ToString());
        Assert.That(Directory.EnumerateFiles(_folder["down"]).Select(Path.GetFileName), Is.EqualTo(new[] { "whole" }));
        Assert.That(result.Error, Does.Contain(Unfinished).And.Contain("unfinished"));
        Assert.That((await RunAsync("get", Url("/d/" + Unfinished), _folder["named"])).Code, Is.EqualTo(ExitCode.Done),
            "who names it gets it");
    }

    [Test]
    public async Task A_missing_file_ends_with_3_on_either_side()
    {
        await StartAsync();
        Assert.That((await RunAsync("get", Url("/missing"), _folder["x"])).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That(File.Exists(_folder["x"]), Is.False);
        Assert.That((await RunAsync("cat", Url("/missing"))).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That((await RunAsync("get", Url("/missing/"), _folder["y"])).Code, Is.EqualTo(ExitCode.NotFound));
        var connections = _server!.TotalConnections;
        Assert.That((await RunAsync("put", _folder["missing"], Url("/x"))).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That(_server.TotalConnections, Is.EqualTo(connections), "nothing to send, so nobody is called");
    }

    [Test]
    public async Task A_refused_port_ends_with_5()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        // The waits between attempts are 11 seconds.
        var result = await RunAsync(new CliHarness { Time = new SwiftTime() },
            "put", _folder.Add("a", "x"), $"ftp://demo:{Secret}@{taken.LocalEndPoint}/a");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
    }

    [Test]
    public async Task A_server_that_says_nothing_ends_with_5_after_the_timeout()
    {
        await StartAsync();
        _server!.Faults.Stall(FtpFaults.Greeting);
        var result = await RunAsync("ls", "--timeout", "0.3", Url("/"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
    }

    [TestCase(FtpTestTls.Explicit, "ftpes")]
    [TestCase(FtpTestTls.Implicit, "ftps")]
    public async Task A_certificate_nobody_vouches_for_ends_with_6(FtpTestTls tls, string scheme)
    {
        await StartAsync(new FtpTestServerOptions { Tls = tls });
        var result = await RunAsync("put", _folder.Add("a", "x"), Url("/a", scheme: scheme));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Trust), result.ToString());
        Assert.That(_server!.Commands.Select(c => c.Verb), Does.Not.Contain("PASS"));
    }

    [Test]
    public async Task A_refused_certificate_is_shown_with_the_pin_that_trusts_it_and_a_file_trusts_it_too()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        var file = _folder.Add("a", "x");
        var refused = await RunAsync("put", file, Url("/a", scheme: "ftpes"));
        Assert.That(refused.Error, Does.Contain("--ca-file").And.Contain("--pin"));
        var pin = refused.Error[refused.Error.IndexOf("SHA256:", StringComparison.Ordinal)..].Split(':')[1];
        var pinned = await RunAsync("put", "--pin", "SHA256:" + pin, file, Url("/a", scheme: "ftpes"));
        Assert.That(pinned.Code, Is.Zero, pinned.ToString());

        var trusted = _folder.Add("ca.pem", _server!.Certificate!.ExportCertificatePem());
        var done = await RunAsync("put", "--ca-file", trusted, file, Url("/b", scheme: "ftpes"));
        Assert.That(done.Code, Is.Zero, done.ToString());
        var other = _folder.Add("other.pem", FtpTestCertificate.Create(["other.example"]).ExportCertificatePem());
        Assert.That((await RunAsync("put", "--ca-file", other, file, Url("/c", scheme: "ftpes"))).Code, Is.EqualTo(ExitCode.Trust));
    }

    [Test]
    public async Task A_certificate_logs_in_from_one_file_or_two()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit, RequireClientCertificate = true });
        // Over the control connection alone: the test server does not resume sessions with certificates for data.
        using var own = FtpTestCertificate.Create(["me.example"]);
        var certificate = _folder.Add("me.pem", own.ExportCertificatePem());
        var key = _folder.AddPrivate("me.key", own.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        var both = _folder.AddPrivate("both.pem", File.ReadAllText(certificate) + "\n" + File.ReadAllText(key));
        Assert.That((await RunAsync("mkdir", "--insecure", Url("/a", scheme: "ftpes"))).Code, Is.Not.Zero);
        var two = await RunAsync("mkdir", "--insecure", "--cert", certificate, "--cert-key", key, Url("/a", scheme: "ftpes"));
        Assert.That(two.Code, Is.Zero, two.ToString());
        var one = await RunAsync("mkdir", "--insecure", "--cert", both, Url("/b", scheme: "ftpes"));
        Assert.That(one.Code, Is.Zero, one.ToString());
        var without = await RunAsync("mkdir", "--insecure", "--cert", certificate, Url("/c", scheme: "ftpes"));
        Assert.That((without.Code, without.Error), Is.EqualTo((ExitCode.Usage, without.Error)), without.ToString());
        Assert.That(without.Error, Does.Contain("--cert-key"));
    }

    [Test]
    public async Task A_server_in_clear_text_at_the_port_of_TLS_is_named_with_what_came()
    {
        await StartAsync();
        var result = await RunAsync("ls", Url("/", scheme: "ftps"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Connection), result.ToString());
        Assert.That(result.Error, Does.Contain("FTP in clear text").And.Contain("220"));
    }

    [Test]
    public async Task A_server_without_tls_is_never_talked_to_in_the_clear_when_tls_was_asked_for()
    {
        await StartAsync();
        var result = await RunAsync("put", "--tls", "explicit", _folder.Add("a", "x"), Url("/a"));
        Assert.That(result.Code, Is.Not.Zero);
        Assert.That(_server!.Commands.Select(c => c.Verb), Does.Not.Contain("PASS").And.Not.Contain("USER"));
    }

    [Test]
    public async Task Insecure_goes_through_and_says_so_loudly_even_when_quiet()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        var result = await RunAsync("put", "--quiet", "--insecure", _folder.Add("a", "x"), Url("/a", scheme: "ftpes"));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(result.Error, Does.Contain("NOT CHECKED"));
    }

    [Test]
    public async Task A_pinned_key_is_trusted_and_another_is_not()
    {
        await StartAsync(new FtpTestServerOptions { Tls = FtpTestTls.Explicit });
        var key = _server!.Certificate!.PublicKey.ExportSubjectPublicKeyInfo();
        var good = "SHA256:" + Convert.ToBase64String(SHA256.HashData(key)).TrimEnd('=');
        var bad = "SHA256:" + Convert.ToBase64String(SHA256.HashData([1, .. key]));
        var file = _folder.Add("a", "x");
        var wrong = await RunAsync("put", "--pin", bad, file, Url("/a", scheme: "ftpes"));
        Assert.That(wrong.Code, Is.EqualTo(ExitCode.Trust), wrong.ToString());
        var right = await RunAsync("put", "--pin", bad, "--pin", good, file, Url("/a", scheme: "ftpes"));
        Assert.That(right.Code, Is.Zero, right.ToString());
    }

    [Test]
    public async Task Lost_bytes_end_with_7_and_the_old_file_stays()
    {
        await StartAsync();
        _store.AddFile("/a", "old"u8);
        _server!.Faults.LoseData(10, "STOR", times: 100);
        var result = await RunAsync("put", _folder.Add("a", new byte[1000]), Url("/a"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Integrity), result.ToString());
        Assert.That(_store.ReadFile("/a"), Is.EqualTo("old"u8.ToArray()));
    }

    [Test]
    public async Task A_full_server_ends_with_1_and_says_why()
    {
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = new MemoryStore(capacity: 1000), Users = Users });
        var result = await RunAsync("put", "--json", _folder.Add("a", new byte[5000]), Url("/a"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(JsonDocument.Parse(result.Output).RootElement.GetProperty("failed")[0].GetProperty("error").GetString(),
            Is.EqualTo("quota"));
    }

    [Test]
    public async Task Verbose_logs_and_keeps_the_secret()
    {
        await StartAsync();
        var result = await RunAsync("put", "-vvv", _folder.Add("a", "x"), Url("/a"));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(result.Error, Does.Contain("debug "));
    }

    [Test]
    public async Task The_password_comes_from_a_file_a_variable_netrc_or_the_terminal()
    {
        await StartAsync();
        _store.AddFile("/a", "x"u8);
        var plain = $"ftp://demo@{_server!.EndPoint}/a";
        var netrc = _folder.AddPrivate("netrc", $"machine 127.0.0.1 login demo password {Secret}");
        CliResult[] results =
        [
            await RunAsync("cat", "--password-file", _folder.Add("pw", Secret + "\n"), plain),
            await RunAsync(new CliHarness { Environment = { ["MINE"] = Secret } }, "cat", "--password-env", "MINE", plain),
            await RunAsync(new CliHarness { Environment = { ["TRANSFER_PASSWORD"] = Secret } }, "cat", plain),
            await RunAsync(new CliHarness { Environment = { ["NETRC"] = netrc } }, "cat", $"ftp://{_server.EndPoint}/a"),
            await RunAsync(new CliHarness { ReadSecret = (_, _) => Secret }, "cat", plain),
        ];
        Assert.That(results.Select(r => (r.Code, r.Output)), Is.All.EqualTo((0, "x")), string.Join('\n', results.AsEnumerable()));
    }

    [Test]
    public async Task A_cancelled_question_ends_with_130()
    {
        await StartAsync();
        var result = await RunAsync(new CliHarness { ReadSecret = (_, _) => throw new OperationCanceledException() }, "ls",
            $"ftp://demo@{_server!.EndPoint}/");
        Assert.That((result.Code, _server.TotalConnections), Is.EqualTo((ExitCode.Interrupted, 0)));
    }

    [Test]
    public async Task On_a_terminal_progress_goes_away_and_without_one_there_is_no_escape_sequence()
    {
        await StartAsync();
        var file = _folder.Add("a", new byte[100_000]);
        _server!.Faults.Delay("STOR", TimeSpan.FromMilliseconds(900), times: 1);
        var animated = await RunAsync(new CliHarness { ErrorIsTerminal = true, Environment = { ["NO_COLOR"] = "1" } }, "put", file,
            Url("/a"));
        Assert.That(animated.Code, Is.Zero, animated.ToString());
        Assert.That(animated.Error, Does.Contain("Uploading"));
        Assert.That(animated.Error, Does.Not.Match("\u001b\\[[0-9;]*m"), "NO_COLOR");
        _server.Faults.Delay("STOR", TimeSpan.FromMilliseconds(900), times: 1);
        var plain = await RunAsync("put", file, Url("/b"));
        Assert.That(plain.Error, Does.StartWith("1 file, 100 kB in "));
        Assert.That(plain.Error, Has.None.EqualTo('\u001b'));
        Assert.That(plain.Error.TrimEnd().Split('\n'), Has.Length.EqualTo(1));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task On_a_terminal_each_session_has_a_line_but_for_json(bool json)
    {
        await StartAsync();
        for (var i = 0; i < 3; i++) _folder.Add($"d/file_{i}.bin", new byte[100_000]);
        var result = await RunAsync(
            new CliHarness { ErrorIsTerminal = true, Environment = { ["NO_COLOR"] = "1" } },
            [.. json ? (string[])["put", "--json"] : ["put"], "--sessions", "1", "--limit", "150KB", _folder["d"], Url("/d")]);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(result.Error.Contains("file_1.bin", StringComparison.Ordinal), Is.Not.EqualTo(json));
        Assert.That(result.Error, json ? Does.Not.Contain("of 100 kB") : Does.Contain("of 100 kB"));
        Assert.That(result.Error, Does.Contain("Uploading"));
    }

    private static Dictionary<string, string> Users => new(StringComparer.Ordinal) { ["demo"] = Secret };

    private async Task StartAsync(FtpTestServerOptions? options = null) =>
        _server = await FtpTestServer.StartAsync((options ?? new FtpTestServerOptions()) with { Store = _store, Users = Users });

    private string Url(string path, string password = Secret, string scheme = "ftp") =>
        $"{scheme}://demo:{password}@{_server!.EndPoint}{path}";

    private static Task<CliResult> RunAsync(params string[] args) => RunAsync(new CliHarness(), args);

    private static async Task<CliResult> RunAsync(CliHarness harness, params string[] args)
    {
        var result = await harness.RunAsync(args).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.That(result.Output + result.Error, Does.Not.Contain(Secret));
        return result;
    }
}
