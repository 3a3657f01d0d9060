using System.Globalization;
using System.Text.Json;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Cli.Tests.Batch;

/// <summary>The verbs send --to, fetch and key.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Parallelizable(ParallelScope.All)]
[Category(Categories.Slow)]
public sealed class SpoolCommandTests : IDisposable
{
    private const int Files = 40;

    private readonly TempFolder _folder = new();
    private readonly string _from;
    private readonly string _spool;

    public SpoolCommandTests()
    {
        for (var i = 0; i < Files; i++) _folder.Add($"from/d{i % 3}/f{i:D2}", new byte[i * 100]);
        (_from, _spool) = (_folder["from"], _folder["store/spool"]);
        Directory.CreateDirectory(_folder["store"]);
    }

    public void Dispose() => _folder.Dispose();

    [Test]
    public async Task Two_recipients_fetch_over_FTP_what_one_has_sent_with_keys_of_their_own()
    {
        await using var server =
            await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(_folder["store"])) });
        var url = $"ftp://demo:demo@127.0.0.1:{server.EndPoint.Port.ToString(CultureInfo.InvariantCulture)}/spool";
        var (me, ann, ben) = (await MakeKeyAsync("me"), await MakeKeyAsync("ann"), await MakeKeyAsync("ben"));
        _folder.Add("ann.pub", ann + "\n");
        var sent = await RunAsync("me", "send", _from, url, "--to", "ann=" + _folder["ann.pub"], "--to", "ben=" + ben, "--key-file",
            KeyOf("me"), "--json", "--sessions", "2");
        Assert.That(sent.Code, Is.Zero, sent.ToString());
        Assert.That(FilesIn(sent), Is.EqualTo(Files));
        foreach (var name in (string[])["ann", "ben"])
        {
            var fetched = await RunAsync(name, "fetch", url, To(name), "--as", name, "--key-file", KeyOf(name), "--from", me, "--json");
            Assert.That(fetched.Code, Is.Zero, fetched.ToString());
            Assert.That(FilesIn(fetched), Is.EqualTo(Files));
            Assert.That(TempFolder.FilesIn(To(name)), Is.EqualTo(TempFolder.FilesIn(_from)));
            Assert.That(sent.Error + fetched.Error, Does.Not.Contain("PRIVATE"));
        }
        Assert.That(Directory.GetDirectories(_spool), Is.Empty);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_name_that_fits_no_recipient_is_an_error_unless_there_was_a_job_for_it_before(bool isShared)
    {
        var (me, ann) = (await MakeKeyAsync("me"), await MakeKeyAsync("ann"));
        await RunAsync("me", "key", "--shared", KeyOf("team"));
        string[] sends = isShared ? ["--key-file", KeyOf("team")] : ["--key-file", KeyOf("me")];
        string[] fetches = isShared ? ["--key-file", KeyOf("team")] : ["--key-file", KeyOf("ann"), "--from", me];
        string For(string name) => isShared ? name : $"{name}={ann}";
        var sent = await RunAsync("me", ["send", _from, _spool, "--to", For("ann"), .. sends]);
        var wrong = await RunAsync("ann", ["fetch", _spool, To("anne"), "--as", "anne", .. fetches]);
        var right = await RunAsync("ann", ["fetch", _spool, To("ann"), "--as", "ann", .. fetches]);
        Assert.That((sent.Code, wrong.Code, right.Code), Is.EqualTo((0, ExitCode.NotFound, 0)), $"{sent}\n{wrong}\n{right}");
        Assert.That(wrong.Error, Does.Contain("is for anne, now or before: there are jobs for ann."));

        await RunAsync("me", ["send", _from, _spool, "--to", For("ben"), .. sends]);
        var later = await RunAsync("ann", ["fetch", _spool, To("ann"), "--as", "ann", .. fetches]);
        Assert.That(later.Code, Is.Zero, later.ToString());
    }

    [Test]
    public async Task Interrupted_it_leaves_what_was_begun_and_resumed_the_rest()
    {
        for (var i = 0; i < Files; i++) _folder.Add($"from/large/f{i:D2}", Samples.Bytes(30_000, i));
        await using var server =
            await FtpTestServer.StartAsync(new() { Store = new NoReplaceStore(new DirectoryStore(_folder["store"])) });
        var key = KeyOf("team");
        await RunAsync("me", "key", "--shared", key);
        string[] send = ["send", _from, $"ftp://demo:demo@{server.EndPoint}/spool", "--to", "ann", "--key-file", key, "--sessions", "1",
            "--archive-size", "64K"];
        var stall = server.Faults.StallData(10_000, "STOR", skip: 4);
        using var interrupt = new CancellationTokenSource();
        var first = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state-me"] } }
            .RunAsync(interrupt.Token, [.. send, "--grace", "60"]);
        await stall.FirstFired.WaitAsync(Eventually.Hang);
        await interrupt.CancelAsync();
        stall.Release();
        var interrupted = await first.WaitAsync(Eventually.Hang);
        Assert.That(interrupted.Code, Is.EqualTo(ExitCode.Interrupted), interrupted.ToString());
        var before = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key, "--json");
        Assert.That((before.Code, FilesIn(before)), Is.EqualTo((0, (long)TempFolder.FilesIn(To("ann")).Length)), before.ToString());
        Assert.That(FilesIn(before), Is.InRange(1, 2 * Files - 1));
        Assert.That(Directory.GetDirectories(_spool), Is.Empty, "it has all of the job");

        var rest = await RunAsync("me", [.. send, "--resume", "--json"]);
        Assert.That((rest.Code, FilesIn(rest)), Is.EqualTo((0, 2 * Files - FilesIn(before))), rest.ToString());
        var after = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key);
        Assert.That(after.Code, Is.Zero, after.ToString());
        Assert.That(TempFolder.FilesIn(To("ann")), Is.EqualTo(TempFolder.FilesIn(_from)));
    }

    [TestCase("archive", true)]
    [TestCase("none", false)]
    public async Task Durability_says_whether_anything_is_brought_to_the_disk(string durability, bool isBrought)
    {
        var key = KeyOf("team");
        await RunAsync("me", "key", "--shared", key);
        Assert.That((await RunAsync("me", "send", _from, _spool, "--to", "ann", "--key-file", key)).Code, Is.Zero);
        var fetched = await RunAsync(
            "ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key, "--durability", durability, "-vvv");
        Assert.That(fetched.Code, Is.Zero, fetched.ToString());
        var none = fetched.Error.Contains("Brought to the disk: 0 times whole file systems, 0 times file by file.",
            StringComparison.Ordinal);
        Assert.That(none, Is.EqualTo(!isBrought || !OperatingSystem.IsLinux()), fetched.Error);
    }

    [Test]
    public async Task Only_what_has_changed_is_sent_again_and_whoever_lacks_it_is_told_at_both_ends()
    {
        var key = KeyOf("team");
        await RunAsync("me", "key", "--shared", key);
        var content = Samples.Bytes(300_000);
        string[] send = ["send", _from, _spool, "--to", "ann", "--to", "ben", "--key-file", key, "--json"];
        string[] Fetch(string name) => ["fetch", _spool, To(name), "--as", name, "--key-file", key, "--overwrite", "always"];
        async Task<long> SendAsync(params string[] more)
        {
            content[^1]++;
            _folder.Add("from/large", content);
            var sent = await RunAsync("me", [.. send, .. more]);
            Assert.That(sent.Code, Is.Zero, sent.ToString());
            Assert.That(sent.Error.Contains("ben does not have", StringComparison.Ordinal), Is.EqualTo(more.Contains("-q")),
                sent.ToString());
            return new DirectoryInfo(Directory.GetDirectories(_spool).Single()).GetFiles("*.tfa").Sum(file => file.Length);
        }
        Assert.That(await SendAsync("--delta"), Is.GreaterThan(300_000));
        foreach (var name in (string[])["ann", "ben"]) Assert.That((await RunAsync(name, Fetch(name))).Code, Is.Zero);
        Assert.That(await SendAsync("--delta"), Is.LessThan(30_000));
        Assert.That((await RunAsync("ann", Fetch("ann"))).Code, Is.Zero);
        Same.Bytes(File.ReadAllBytes(Path.Combine(To("ann"), "large")), content);
        File.WriteAllText(Path.Combine(To("ben"), "large"), "his own");
        var failed = await RunAsync("ben", Fetch("ben"));
        Assert.That(failed.Code, Is.EqualTo(ExitCode.SomeFailed), failed.ToString());
        Assert.That(failed.Error, Does.Contain("large").And.Contain("next job"));
        Assert.That(File.ReadAllText(Path.Combine(To("ben"), "large")), Is.EqualTo("his own"));
        Assert.That(await SendAsync("--delta", "-q"), Is.GreaterThan(300_000));
        foreach (var name in (string[])["ann", "ben"]) Assert.That((await RunAsync(name, Fetch(name))).Code, Is.Zero);
        Same.Bytes(File.ReadAllBytes(Path.Combine(To("ben"), "large")), content);
        Assert.That(await SendAsync(), Is.GreaterThan(300_000));
    }

    [TestCase("--to", "--no-delta", "--no-delta is for receivers")]
    [TestCase("--key-file", "--delta", "--delta is for those who fetch")]
    [TestCase("--delta", null, "--delta is for those who fetch")]
    public async Task Options_of_deltas_that_do_not_fit_what_is_sent_to_are_refused(string first, string? second, string message)
    {
        string[] args = second is null ? [first] : [first, "ann", second];
        var refused = await RunAsync("me", ["send", _from, _spool, .. args]);
        Assert.That(refused.Code, Is.EqualTo(ExitCode.Usage), refused.ToString());
        Assert.That(refused.Error, Does.Contain(message));
        var direct = await RunAsync("me", "send", _from, "transfer://127.0.0.1:1#token", "--delta");
        Assert.That((direct.Code, direct.Error.Contains("--delta is for spools", StringComparison.Ordinal)),
            Is.EqualTo((ExitCode.Usage, true)), direct.ToString());
    }

    [Test]
    public async Task With_a_shared_key_a_folder_is_a_spool_too()
    {
        var key = KeyOf("team");
        var made = await RunAsync("me", "key", "--shared", key);
        Assert.That((made.Code, made.Output), Is.EqualTo((0, string.Empty)), made.ToString());
        Assert.That(
            (await RunAsync("me", "send", _from, new Uri(_spool).AbsoluteUri, "--to", "ann", "--key-file", key, "--deadline", "2w",
                "--archive-size", "64K")).Code, Is.Zero);
        Assert.That(Directory.GetFiles(Directory.GetDirectories(_spool).Single(), "*.tfa"), Has.Length.EqualTo(2), "of 78,000 bytes");
        var nothing = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "anne", "--key-file", key);
        Assert.That((nothing.Code, Directory.Exists(To("ann"))), Is.EqualTo((ExitCode.NotFound, false)), nothing.ToString());
        var fetched = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key);
        Assert.That(fetched.Code, Is.Zero, fetched.ToString());
        Assert.That(fetched.Error, Does.Contain($"{Files} files"));
        Assert.That(TempFolder.FilesIn(To("ann")), Is.EqualTo(TempFolder.FilesIn(_from)));
    }

    [Test]
    public async Task Who_watches_gets_one_job_after_the_other()
    {
        var key = KeyOf("team");
        await RunAsync("me", "key", "--shared", key);
        using var stop = new CancellationTokenSource();
        var watching = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state-ann"] } }
            .RunAsync(stop.Token, "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key, "--watch", "--json");
        for (var i = 0; i < 2; i++)
        {
            var name = $"more{i}";
            _folder.Add("from/" + name, "content");
            Assert.That((await RunAsync("me", "send", _from, _spool, "--to", "ann", "--key-file", key)).Code, Is.Zero);
            await Eventually.IsAsync(() => File.Exists(Path.Combine(To("ann"), name)) && Directory.GetDirectories(_spool).Length == 0,
                true);
        }
        await stop.CancelAsync();
        var watched = await watching.WaitAsync(Eventually.Hang);
        Assert.That(watched.Code, Is.EqualTo(ExitCode.Interrupted), watched.ToString());
        Assert.That(TempFolder.FilesIn(To("ann")), Is.EqualTo(TempFolder.FilesIn(_from)));
    }

    [Test]
    public async Task What_was_tampered_with_has_its_exit_code()
    {
        var key = KeyOf("team");
        await RunAsync("me", "key", "--shared", key);
        await RunAsync("me", "send", _from, _spool, "--to", "ann", "--key-file", key);
        var archive = Directory.GetFiles(Directory.GetDirectories(_spool).Single(), "*.tfa").Single();
        var bytes = File.ReadAllBytes(archive);
        bytes[bytes.Length / 2] ^= 1;
        File.WriteAllBytes(archive, bytes);
        var fetched = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", key);
        Assert.That(fetched.Code, Is.EqualTo(ExitCode.Integrity), fetched.ToString());
        Assert.That(fetched.Error, Does.Contain("00000000.tfa"));
    }

    [Test]
    public async Task Who_watches_and_is_not_let_in_is_told_once()
    {
        await using var server = await FtpTestServer.StartAsync();
        await RunAsync("me", "key", "--shared", KeyOf("team"));
        var url = $"ftp://demo:wrong@127.0.0.1:{server.EndPoint.Port.ToString(CultureInfo.InvariantCulture)}/spool";
        var watched = await RunAsync("ann", "fetch", url, To("ann"), "--as", "ann", "--key-file", KeyOf("team"), "--watch");
        Assert.That(watched.Code, Is.EqualTo(ExitCode.Denied), watched.ToString());
    }

    [Test]
    public async Task Keys_are_made_for_their_user_alone_and_never_overwritten()
    {
        var made = await MakeKeyAsync("me");
        Assert.That(made, Does.StartWith("p256:"));
        var again = await RunAsync("me", "key", KeyOf("me"));
        Assert.That(again.Output.Trim(), Is.EqualTo(made), "of a file that is there the public half is shown");
        if (OperatingSystem.IsWindows()) return;
        Assert.That(File.GetUnixFileMode(KeyOf("me")), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        File.SetUnixFileMode(KeyOf("me"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead);
        var refused = await RunAsync("me", "key", KeyOf("me"));
        Assert.That((refused.Code, refused.Output), Is.EqualTo((ExitCode.Usage, string.Empty)));
        Assert.That(refused.Error, Does.Contain("chmod 600"));
    }

    [Test]
    public async Task A_file_of_32_bytes_is_no_key()
    {
        var file = _folder.AddPrivate("short.txt", "a line of just 32 bytes, no key\n");
        var refused = await new CliHarness().RunAsync("fetch", _spool, To("ann"), "--as", "ann", "--key-file", file);
        Assert.That((refused.Code, refused.Error.Contains("just", StringComparison.Ordinal)), Is.EqualTo((ExitCode.Usage, false)),
            refused.ToString());
    }

    [Test]
    public async Task A_key_that_is_encrypted_is_asked_for()
    {
        using var pair = System.Security.Cryptography.ECDiffieHellman.Create(System.Security.Cryptography.ECCurve.NamedCurves.nistP256);
        var pem = pair.ExportEncryptedPkcs8PrivateKeyPem("s3cr3t",
            new System.Security.Cryptography.PbeParameters(System.Security.Cryptography.PbeEncryptionAlgorithm.Aes256Cbc,
                System.Security.Cryptography.HashAlgorithmName.SHA256, 1000));
        var file = _folder.AddPrivate("encrypted.key", pem);
        var asked = new CliHarness { ReadSecret = (_, _) => "s3cr3t" };
        Assert.That((await asked.RunAsync("key", file)).Output, Does.StartWith("p256:"));
        var wrong = await new CliHarness { ReadSecret = (_, _) => "wr0ng" }.RunAsync("key", file);
        Assert.That((wrong.Code, wrong.Error.Contains("wr0ng", StringComparison.Ordinal)), Is.EqualTo((ExitCode.Usage, false)),
            wrong.ToString());
        Assert.That((await new CliHarness().RunAsync("key", file)).Error, Does.Contain("no terminal"));
    }

    [Test]
    public async Task With_a_passphrase_nobody_needs_a_key_and_nothing_shows_it()
    {
        const string Phrase = "correct horse battery staple";
        var file = _folder.Add("phrase.txt", Phrase + "\n");
        var asked = new List<string>();
        CliHarness Harness(string who, string? typed, string? variable = null)
        {
            var harness = new CliHarness { ReadSecret = typed is null ? null : (question, _) => Answer(question, typed) };
            harness.Environment["XDG_STATE_HOME"] = _folder["state-" + who];
            if (variable is not null) harness.Environment["TRANSFER_PASSPHRASE"] = variable;
            return harness;
        }
        string Answer(string question, string typed)
        {
            asked.Add(question);
            return typed;
        }
        string[] fetch = ["fetch", _spool, To("ann"), "--as", "ann", "-vvv"];
        CliResult[] runs =
        [
            await Harness("me", null, Phrase).RunAsync("send", _from, _spool, "--to", "ann", "--passphrase", "-vvv"),
            await Harness("ann", "correct horse").RunAsync([.. fetch, "--passphrase"]),
            await Harness("ann", null).RunAsync([.. fetch, "--passphrase"]),
            await Harness("ann", null).RunAsync([.. fetch, "--passphrase-file", file]),
            await Harness("me", Phrase).RunAsync("send", _from, _spool, "--to", "ann", "--passphrase", "-vvv"),
        ];
        Assert.That(runs.Select(run => run.Code), Is.EqualTo(new[] { 0, ExitCode.Denied, ExitCode.Usage, 0, 0 }),
            string.Join('\n', runs.AsEnumerable()));
        Assert.That(runs[1].Error, Does.Contain("another passphrase"));
        Assert.That(runs[2].Error, Does.Contain("no terminal").And.Contain("TRANSFER_PASSPHRASE"));
        Assert.That(runs[3].Error, Does.Contain($"{Files} files").And.Not.Contain("another passphrase"));
        Assert.That(TempFolder.FilesIn(To("ann")), Is.EqualTo(TempFolder.FilesIn(_from)));
        Assert.That(asked, Is.EqualTo(new[] { "Passphrase of the job: ", "Passphrase of the job: ", "Once more: " }),
            "only what is sealed with it has to be typed twice");
        Assert.That(runs.Select(run => run.ToString()), Has.None.Contains("correct").And.None.Contains("horse"));
        foreach (var path in Directory.GetFiles(_folder.Path, "*", SearchOption.AllDirectories).Where(path => path != file))
            Assert.That(File.ReadAllBytes(path).AsSpan().IndexOf("horse"u8), Is.Negative, path);
    }

    [Test]
    public async Task A_key_file_can_be_encrypted_and_serves_as_any_other()
    {
        string[] typed = ["s3cr3t", "s3cret"];
        var asked = 0;
        var mistyped = await new CliHarness { ReadSecret = (_, _) => typed[asked++] }.RunAsync("key", "--passphrase", KeyOf("me"));
        Assert.That((mistyped.Code, asked, File.Exists(KeyOf("me"))), Is.EqualTo((ExitCode.Usage, 2, false)), mistyped.ToString());
        var made = await new CliHarness { ReadSecret = (_, _) => "s3cr3t" }.RunAsync("key", "--passphrase", KeyOf("me"));
        Assert.That(made.Code, Is.Zero, made.ToString());
        Assert.That(File.ReadAllText(KeyOf("me")), Does.StartWith("-----BEGIN ENCRYPTED PRIVATE KEY-----"));
        var file = _folder.Add("phrase.txt", "s3cr3t");
        var ann = await new CliHarness().RunAsync("key", "--passphrase-file", file, KeyOf("ann"));
        Assert.That(ann.Code, Is.Zero, ann.ToString());
        Assert.That(File.ReadAllText(KeyOf("ann")), Does.StartWith("-----BEGIN ENCRYPTED PRIVATE KEY-----"));

        var sender = new CliHarness
        {
            Environment =
            { ["XDG_STATE_HOME"] = _folder["state-me"], ["TRANSFER_PASSPHRASE"] = "s3cr3t" }
        };
        var sent = await sender.RunAsync("send", _from, _spool, "--to", "ann=" + ann.Output.Trim(), "--key-file", KeyOf("me"));
        var fetched = await RunAsync("ann", "fetch", _spool, To("ann"), "--as", "ann", "--key-file", KeyOf("ann"), "--passphrase-file",
            file, "--from", made.Output.Trim());
        Assert.That((sent.Code, fetched.Code), Is.EqualTo((0, 0)), sent.ToString() + fetched);
        Assert.That(TempFolder.FilesIn(To("ann")), Is.EqualTo(TempFolder.FilesIn(_from)));
        Assert.That(mistyped.ToString() + made + ann + sent + fetched, Does.Not.Contain("s3cr"));
    }

    private static long FilesIn(CliResult result)
    {
        using var json = JsonDocument.Parse(result.Output);
        return json.RootElement.GetProperty("files").GetInt64();
    }

    private string KeyOf(string name) => _folder[name + ".key"];

    private string To(string name) => _folder["to-" + name];

    private async Task<string> MakeKeyAsync(string name)
    {
        var made = await RunAsync(name, "key", KeyOf(name));
        Assert.That(made.Code, Is.Zero, made.ToString());
        return made.Output.Trim();
    }

    private Task<CliResult> RunAsync(string who, params string[] args) =>
        new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state-" + who] } }
        .RunAsync(args).WaitAsync(Eventually.Hang);
}
