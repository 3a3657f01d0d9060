using System.Text;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The verbs that move files, against the embedded server.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
[Category(Categories.Slow)]
public sealed class TransferTests : FtpCommandFixture
{
    [Test]
    public async Task Put_sends_a_file_to_the_url()
    {
        var result = await RunAsync("put", _folder.Add("a.txt", "hello"), Url("/b.txt"));
        AssertDone(result);
        Assert.That(Text("/b.txt"), Is.EqualTo("hello"));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/b.txt" }));
        Assert.That((result.Output, result.Error), Is.EqualTo(("", result.Error)));
        Assert.That(result.Error, Does.StartWith("1 file, 5 B in "));
    }

    [Test]
    public async Task Put_keeps_the_name_and_makes_the_folder_where_the_url_ends_in_a_slash()
    {
        AssertDone(await RunAsync("put", _folder.Add("a b#c?.txt", "hello"), Url("/new/dir/")));
        Assert.That(Text("/new/dir/a b#c?.txt"), Is.EqualTo("hello"));
    }

    [TestCase("get")]
    [TestCase("cat")]
    public async Task A_log_that_grows_while_it_is_fetched_comes_as_it_is_then(string verb)
    {
        var text = string.Concat(Enumerable.Range(0, 5000).Select(line => $"line {line}\n"));
        _store.AddFile("/log", Encoding.ASCII.GetBytes(text), DateTimeOffset.UnixEpoch);
        _server.Faults.Reply("SIZE", "213 20000", times: 2);
        var result = await RunAsync(verb == "get" ? ["get", Url("/log"), _folder["log"]] : ["cat", Url("/log")]);
        AssertDone(result);
        Assert.That(verb == "get" ? File.ReadAllText(_folder["log"]) : result.Output, Is.EqualTo(text));
    }

    [Test]
    public async Task A_listing_that_takes_too_much_memory_is_printed_as_far_as_it_came_and_ends_with_1()
    {
        for (var i = 0; i < 6000; i++) _store.AddFile($"/d/{i:D5}", [], DateTimeOffset.UnixEpoch);
        var result = await RunAsync("ls", Url("/d/"), "--max-listing", "1M");
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.Error);
        Assert.That(result.Output.Split('\n'), Has.Length.InRange(3000, 5000));
        Assert.That(result.Error, Does.Contain("--max-listing"));
        AssertDone(await RunAsync("ls", Url("/d/")));
    }

    [Test]
    public async Task A_servers_limit_is_remembered_for_the_next_run_unless_the_number_is_fixed()
    {
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { MaxConnections = 2 });
        for (var i = 0; i < 40; i++) _folder.Add($"f/{i}", "x");
        var state = _folder["state"];
        var file = Path.Combine(state, "transfer", "limits");
        await PutAsync("--sessions", "8");
        Assert.That(File.Exists(file), Is.False);

        Assert.That(await PutAsync(), Is.GreaterThan(2), "some were refused");
        Assert.That(File.ReadAllLines(file), Has.Exactly(1).Match("^[0-9a-f]{32} 2 [0-9]+$"));
        Assert.That(await PutAsync(), Is.InRange(1, 2), "none was refused");
        Assert.That(await PutAsync("--sessions", "8"), Is.GreaterThan(2));

        async Task<int> PutAsync(params string[] more)
        {
            var before = server.TotalConnections;
            AssertDone(await new CliHarness { Environment = { ["XDG_STATE_HOME"] = state } }
                .RunAsync(["put", _folder["f"], $"ftp://demo:demo@{server.EndPoint}/t", .. more]));
            await Eventually.TrueAsync(() => server.CurrentConnections == 0, "all have gone");
            return server.TotalConnections - before;
        }
    }

    [TestCase("put")]
    [TestCase("get")]
    [TestCase("cat")]
    [TestCase("sync")]
    public async Task A_limit_is_kept(string verb)
    {
        _store.AddFile("/f/a", new byte[60_000]);
        var (from, to) = (_folder.Add("f/a", new string('x', 60_000)), _folder["g/"]);
        string[] args = verb switch
        {
            "put" => ["put", from, Url("/b")],
            "get" => ["get", Url("/f/a"), to],
            "sync" => ["sync", _folder["f"], Url("/t")],
            _ => ["cat", Url("/f/a")],
        };
        var watch = System.Diagnostics.Stopwatch.StartNew();
        AssertDone(await RunAsync([.. args, "--limit", "100KB"]));
        // The least there can be; a machine may always be slower.
        Assert.That(watch.ElapsedMilliseconds, Is.GreaterThan(450));
    }

    [Test]
    public async Task Put_decodes_the_path_once()
    {
        AssertDone(await RunAsync("put", _folder.Add("a.txt", "hello"), Url("/a%20b%2520#c?d;e")));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/a b%20#c?d;e" }));
    }

    [Test]
    public async Task Put_sends_a_folders_contents_into_the_folder_at_the_url()
    {
        _folder.Add("site/index.html", "one");
        _folder.Add("site/css/main.css", "two");
        Directory.CreateDirectory(_folder["site/empty"]);
        var result = await RunAsync("put", _folder["site"], Url("/www"));
        AssertDone(result);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/www/css/main.css", "/www/index.html" }));
        Assert.That(_store.Directories, Does.Contain("/www/empty"));
        Assert.That(result.Error, Does.StartWith("2 files, 6 B in "));
    }

    [Test]
    public async Task Put_of_several_sources_keeps_their_names()
    {
        _folder.Add("dir/c.txt", "three");
        AssertDone(await RunAsync("put", _folder.Add("a.txt", "one"), _folder.Add("b.txt", "two"), _folder["dir"], Url("/in/")));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/a.txt", "/in/b.txt", "/in/dir/c.txt" }));
    }

    [Test]
    public async Task Put_reads_standard_input()
    {
        AssertDone(await RunAsync(new CliHarness { Input = Encoding.UTF8.GetBytes("piped") }, "put", "-", Url("/p.txt")));
        Assert.That(Text("/p.txt"), Is.EqualTo("piped"));
    }

    [Test]
    public async Task A_path_that_begins_with_a_dash_goes_behind_two()
    {
        var before = Environment.CurrentDirectory;
        _folder.Add("-x", "dash");
        Environment.CurrentDirectory = _folder.Path;
        try
        {
            AssertDone(await RunAsync("put", "--", "-x", Url("/x")));
        }
        finally
        {
            Environment.CurrentDirectory = before;
        }

        Assert.That(Text("/x"), Is.EqualTo("dash"));
    }

    [Test]
    public async Task Get_writes_to_the_path_or_into_the_folder()
    {
        _store.AddFile("/d/a.txt", "hello"u8);
        AssertDone(await RunAsync("get", Url("/d/a.txt"), _folder["b.txt"]));
        AssertDone(await RunAsync("get", Url("/d/a.txt"), _folder.Path));
        AssertDone(await RunAsync("get", Url("/d/a.txt"), _folder["new"] + "/"));
        Assert.That(new[] { "b.txt", "a.txt", "new/a.txt" }.Select(n => File.ReadAllText(_folder[n])), Is.All.EqualTo("hello"));
    }

    [TestCase("get", "new/.", "new/f")]
    [TestCase("get", "new/deep/..", "new/f")]
    [TestCase("copy", "new/.", "new/f")]
    [TestCase("copy", "new/./", "new/f")]
    [TestCase("copy local", "new/.", "new/f")]
    [TestCase("copy local", "new/..", "f")]
    public async Task An_absent_folder_that_ends_in_a_dot_is_no_files_name(string verb, string target, string file)
    {
        _store.AddFile("/d/f", "hello"u8);
        var from = verb == "copy local" ? _folder.Add("d/f", "hello") : Url("/d/f");
        AssertDone(await RunAsync(verb.Split(' ')[0], from, Path.Join(_folder.Path, target)));
        Assert.That(File.ReadAllText(_folder[file]), Is.EqualTo("hello"));
    }

    [Test]
    public async Task Several_files_go_to_an_absent_folder_that_ends_in_a_dot()
    {
        _store.AddFile("/d/a", "1"u8);
        _store.AddFile("/d/b", "2"u8);
        AssertDone(await RunAsync("get", Url("/d/a"), Url("/d/b"), Path.Join(_folder.Path, "new/.")));
        Assert.That(new[] { "new/a", "new/b" }.Select(name => File.ReadAllText(_folder[name])), Is.EqualTo(new[] { "1", "2" }));
    }

    [TestCase("/d/")]
    [TestCase("/d")]
    public async Task Get_fetches_a_folders_contents_with_and_without_the_slash(string path)
    {
        _store.AddFile("/d/a.txt", "one"u8);
        _store.AddFile("/d/sub/b.txt", "two"u8);
        AssertDone(await RunAsync("get", Url(path), _folder["out"]));
        Assert.That(File.ReadAllText(_folder["out/a.txt"]), Is.EqualTo("one"));
        Assert.That(File.ReadAllText(_folder["out/sub/b.txt"]), Is.EqualTo("two"));
    }

    [Test]
    public async Task Get_writes_to_standard_output()
    {
        _store.AddFile("/a.bin", [0, 255, 13, 10, 128]);
        var result = await RunAsync("get", Url("/a.bin"), "-");
        AssertDone(result);
        Assert.That(result.Bytes, Is.EqualTo(new byte[] { 0, 255, 13, 10, 128 }));
    }

    [Test]
    public async Task Cat_writes_to_standard_output_and_nothing_else()
    {
        _store.AddFile("/a.bin", [0, 255, 13, 10, 128]);
        var result = await RunAsync("cat", Url("/a.bin"));
        Assert.That((result.Code, result.Error), Is.EqualTo((0, "")));
        Assert.That(result.Bytes, Is.EqualTo(new byte[] { 0, 255, 13, 10, 128 }));
    }

    [Test]
    public async Task Get_takes_patterns_with_folders_and_without_hidden_files()
    {
        foreach (var name in (string[])["/d/a1.txt", "/d/a2.txt", "/d/b1.txt", "/d/.a3.txt", "/d/a4.bin", "/d/a5.txt/inner"])
            _store.AddFile(name, "x"u8);
        AssertDone(await RunAsync("get", Url("/d/a[1-9]*.txt"), _folder.Path));
        Assert.That(
            Directory.GetFiles(_folder.Path, "*",
                new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.None })
                .Select(f => Path.GetRelativePath(_folder.Path, f).Replace('\\', '/')),
            Is.EquivalentTo(new[] { "a1.txt", "a2.txt", "a5.txt/inner" }));
    }

    [Test]
    public async Task A_pattern_that_matches_nothing_may_be_a_name()
    {
        _store.AddFile("/d/x[1].txt", "literal"u8);
        AssertDone(await RunAsync("get", Url("/d/x[1].txt"), _folder.Path));
        Assert.That(File.ReadAllText(_folder["x[1].txt"]), Is.EqualTo("literal"));
        Assert.That((await RunAsync("get", Url("/d/*.nothing"), _folder.Path)).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [Test]
    public async Task Get_of_several_urls_fetches_what_turns_out_to_be_a_folder_and_names_what_fails_by_its_url()
    {
        _store.AddFile("/in/a", [1]);
        _store.AddFile("/in/d/e", [2]);
        var result = await new CliHarness().RunAsync("get", Url("/in/a"), Url("/in/d"), Url("/in/absent"), Url("/in/gone"),
            _folder["to"] + "/");
        Assert.That(result.Code, Is.EqualTo(1), result.ToString());
        Assert.That(File.ReadAllBytes(_folder["to/a"]), Is.EqualTo(new byte[] { 1 }));
        Assert.That(File.ReadAllBytes(_folder["to/d/e"]), Is.EqualTo(new byte[] { 2 }));
        Assert.That(Directory.GetFileSystemEntries(_folder["to"]), Has.Length.EqualTo(2));
        Assert.That(result.Error,
            Does.Contain($"ftp://demo@{_server.EndPoint}/in/absent: ").And.Contain($"ftp://demo@{_server.EndPoint}/in/gone: ").And.Contain(
                "2 files").And.Contain("2 failed"));
    }

    [Test]
    public async Task Get_of_several_urls_keeps_their_names()
    {
        _store.AddFile("/a.txt", "one"u8);
        _store.AddFile("/d/b.txt", "two"u8);
        AssertDone(await RunAsync("get", Url("/a.txt"), Url("/d/"), _folder.Path));
        Assert.That(File.ReadAllText(_folder["a.txt"]), Is.EqualTo("one"));
        Assert.That(File.ReadAllText(_folder["d/b.txt"]), Is.EqualTo("two"));
    }

    [TestCase("always", 0, "new")]
    [TestCase("fail", 1, "old")]
    [TestCase("skip", 0, "old")]
    [TestCase("newer", 0, "new")]
    public async Task Overwriting_is_as_asked_in_both_directions(string mode, int code, string content)
    {
        var local = _folder.Add("a.txt", "new");
        _store.AddFile("/a.txt", "old"u8, DateTimeOffset.UtcNow.AddYears(-1));
        Assert.That((await RunAsync("put", "--overwrite", mode, local, Url("/a.txt"))).Code, Is.EqualTo(code));
        Assert.That(Text("/a.txt"), Is.EqualTo(content));

        _store.AddFile("/b.txt", "new"u8);
        var target = _folder.Add("b.txt", "old");
        File.SetLastWriteTimeUtc(target, DateTime.UtcNow.AddYears(-1));
        Assert.That((await RunAsync("get", "--overwrite", mode, Url("/b.txt"), target)).Code, Is.EqualTo(code));
        Assert.That(File.ReadAllText(target), Is.EqualTo(content));
    }

    [Test]
    public async Task By_default_what_exists_is_replaced()
    {
        _store.AddFile("/a.txt", "old"u8);
        AssertDone(await RunAsync("put", _folder.Add("a.txt", "new"), Url("/")));
        Assert.That(Text("/a.txt"), Is.EqualTo("new"));
    }

    [Test]
    public async Task Json_tells_what_was_done_in_one_object()
    {
        _folder.Add("d/a", "12345");
        _folder.Add("d/b", "123");
        _store.AddFile("/up/b", "old"u8);
        var result = await RunAsync("put", "--json", "--overwrite", "fail", _folder["d"], Url("/up"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Output, Does.EndWith("}\n"));
        using var json = JsonDocument.Parse(result.Output);
        var root = json.RootElement;
        Assert.That(
            root.EnumerateObject().Select(p => p.Name),
            Is.EqualTo(new[] { "files", "bytes", "skipped", "seconds", "sessions", "retries", "verified", "failed" }));
        Assert.That((root.GetProperty("files").GetInt64(), root.GetProperty("bytes").GetInt64()), Is.EqualTo((1L, 5L)));
        Assert.That(root.GetProperty("sessions").GetInt32(), Is.GreaterThanOrEqualTo(1));
        Assert.That(root.GetProperty("verified").GetString(), Is.EqualTo("size"));
        var failure = root.GetProperty("failed")[0];
        Assert.That(failure.GetProperty("path").GetString(), Does.EndWith("d/b"));
        Assert.That(failure.GetProperty("error").GetString(), Is.EqualTo("exists"));
    }

    [Test]
    public async Task Json_counts_skipped_files_and_says_what_was_not_checked()
    {
        _store.AddFile("/a", "old"u8);
        var result = await RunAsync("put", "--json", "--overwrite", "skip", _folder.Add("a", "new"), Url("/"));
        AssertDone(result);
        using var json = JsonDocument.Parse(result.Output);
        Assert.That(json.RootElement.GetProperty("skipped").GetInt64(), Is.EqualTo(1));
        Assert.That(json.RootElement.GetProperty("verified").ValueKind, Is.EqualTo(JsonValueKind.Null));
    }

    [Test]
    public async Task Json_tells_the_hash_and_who_computed_it()
    {
        _folder.Add("d/a", "12345");
        var result = await RunAsync("put", "--json", "--verify", "hash", _folder["d"], Url("/up"));
        AssertDone(result);
        Assert.That(result.Output, Does.Contain("\"verified\":\"hash\",\"hash\":\"SHA-256\",\"hashedBy\":\"server\","));
    }

    [Test]
    public async Task Verify_reply_asks_no_sizes_and_claims_none()
    {
        var result = await RunAsync("put", "--json", "--verify", "reply", "--publish", "direct", _folder.Add("a", "new"), Url("/a"));
        AssertDone(result);
        using var json = JsonDocument.Parse(result.Output);
        Assert.That(json.RootElement.GetProperty("verified").GetString(), Is.EqualTo("reply"));
        Assert.That(_server.Commands.Select(c => c.Verb), Does.Not.Contain("RNFR"));
    }

    [TestCase("put")]
    [TestCase("put folder")]
    [TestCase("get")]
    [TestCase("get folder")]
    [TestCase("sync")]
    public async Task A_temporary_folder_is_made_and_used(string what)
    {
        _store.AddFile("/s/a", new byte[10]);
        _folder.Add("f/a", "0123456789");
        AssertDone(await (what switch
        {
            "put" => RunAsync("put", _folder["f/a"], Url("/t/a"), "--temp-dir", "x/tmp"),
            "put folder" => RunAsync("put", _folder["f"], Url("/t"), "--temp-dir", "x/tmp"),
            "get" => RunAsync("get", Url("/s/a"), _folder["t/"], "--temp-dir", "x/tmp"),
            "get folder" => RunAsync("get", Url("/s/"), _folder["t"], "--temp-dir", "x/tmp"),
            _ => RunAsync("sync", _folder["f"], Url("/t"), "--temp-dir", "x/tmp"),
        }));
        if (what.StartsWith("get", StringComparison.Ordinal))
        {
            Assert.That(File.ReadAllBytes(_folder["t/a"]), Has.Length.EqualTo(10));
            Assert.That(Directory.GetFileSystemEntries(_folder["t/x/tmp"]), Is.Empty);
            return;
        }
        Assert.That(_store.Files, Is.EqualTo(new[] { "/s/a", "/t/a" }));
        Assert.That(_server.Commands.Single(c => c.Verb == "STOR").Argument, Does.StartWith("/t/x/tmp/.transfer-"));
    }

    [Test]
    public async Task One_failure_does_not_hide_the_rest()
    {
        var result = await RunAsync("put", _folder.Add("a.txt", "one"), _folder["missing.txt"], Url("/in/"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/a.txt" }));
        Assert.That(result.Error, Does.Contain("missing.txt: ").And.Contain("1 failed"));
    }

    [Test]
    public async Task Quiet_says_nothing_of_success()
    {
        var result = await RunAsync("put", "--quiet", _folder.Add("a.txt", "one"), Url("/a"));
        Assert.That((result.Code, result.Output, result.Error), Is.EqualTo((0, "", "")));
    }

    [Test]
    public async Task Sessions_bounds_them()
    {
        for (var i = 0; i < 30; i++) _folder.Add($"d/{i}", "x");
        AssertDone(await RunAsync("put", "--sessions", "1", _folder["d"], Url("/d")));
        Assert.That((_server.PeakConnections, _store.Files.Count), Is.EqualTo((1, 30)));
    }

    [Test]
    public async Task Copy_copies_between_two_servers()
    {
        var store = new MemoryStore();
        await using var other = await FtpTestServer.StartAsync(new FtpTestServerOptions
        {
            Store = store,
            Users = new Dictionary<string, string>(StringComparer.Ordinal) { ["you"] = "theirs" },
        });
        _store.AddFile("/d/a.txt", "one"u8);
        _store.AddFile("/d/s/b.txt", "two"u8);
        var harness = new CliHarness { Environment = { ["THEIRS"] = "theirs" } };
        var target = $"ftp://{other.EndPoint}/";
        AssertDone(await harness.RunAsync("copy", Url("/d/"), target + "in", "--to-user", "you", "--to-password-env", "THEIRS"));
        AssertDone(await harness.RunAsync("copy", Url("/d/a.txt"), target + "one/", "--to-user", "you", "--to-password-env", "THEIRS"));
        AssertDone(await harness.RunAsync("copy", Url("/d"), target + "folder", "--to-user", "you", "--to-password-env", "THEIRS"));
        Assert.That(store.Files, Is.EqualTo(new[] { "/folder/a.txt", "/folder/s/b.txt", "/in/a.txt", "/in/s/b.txt", "/one/a.txt" }));
    }

    [Test]
    public async Task The_variable_with_the_password_is_sent_to_neither_of_two_servers()
    {
        await using var other = await FtpTestServer.StartAsync();
        var harness = new CliHarness { Environment = { ["TRANSFER_PASSWORD"] = "demo" } };
        var result = await harness.RunAsync("copy", $"ftp://demo@{_server.EndPoint}/a", $"ftp://demo@{other.EndPoint}/a");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That((_server.TotalConnections, other.TotalConnections), Is.EqualTo((0, 0)));
    }

    [Test]
    public async Task Copy_takes_local_paths_on_either_side()
    {
        var local = _folder.Add("a#b c.txt", "one");
        AssertDone(await RunAsync("copy", local, Url("/up/")));
        AssertDone(
            await RunAsync("copy", "file://" + Uri.EscapeDataString(local.Replace('\\', '/')).Replace("%2F", "/", StringComparison.Ordinal),
                Url("/url.txt")));
        AssertDone(await RunAsync("copy", Url("/url.txt"), _folder["down.txt"]));
        AssertDone(await RunAsync("copy", local, _folder["copy%20.txt"]));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/up/a#b c.txt", "/url.txt" }));
        Assert.That(File.ReadAllText(_folder["down.txt"]), Is.EqualTo("one"));
        Assert.That(File.ReadAllText(_folder["copy%20.txt"]), Is.EqualTo("one"));
    }

    [Test]
    public async Task Copy_of_a_local_folder_takes_its_contents()
    {
        _folder.Add("d/s/a.txt", "one");
        AssertDone(await RunAsync("copy", _folder["d"], _folder["e"]));
        Assert.That(File.ReadAllText(_folder["e/s/a.txt"]), Is.EqualTo("one"));
        Assert.That((await RunAsync("copy", _folder["nowhere"], _folder["f"])).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [TestCase(null, null, null)]
    [TestCase("copy", "one", "a.txt")]
    [TestCase("follow", "one", null)]
    public async Task Links_in_folders_are_skipped_copied_or_followed(string? links, string? content, string? target)
    {
        _folder.Add("d/a.txt", "one");
        File.CreateSymbolicLink(_folder["d/l"], "a.txt");
        AssertDone(
            await RunAsync(
                ["copy", _folder["d"], _folder["e"], .. links is null ? Array.Empty<string>() : ["--links", links]]));
        var copy = new FileInfo(_folder["e/l"]);
        Assert.That((copy.Exists ? File.ReadAllText(copy.FullName) : null, copy.LinkTarget), Is.EqualTo((content, target)));
    }

    [Test]
    public async Task An_interruption_ends_with_130_and_leaves_nothing_half()
    {
        using var stop = new CancellationTokenSource();
        var stall = _server.Faults.StallData(100_000, "STOR");
        var run = new CliHarness().RunAsync(stop.Token, "put", "--json", _folder.Add("a.bin", new byte[1_000_000]), Url("/a.bin"));
        await stall.FirstFired.WaitAsync(TimeSpan.FromSeconds(30));
        await stop.CancelAsync();
        var result = await run.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Interrupted), result.ToString());
        Assert.That(result.Error, Does.Contain("interrupted"));
        Assert.That(JsonDocument.Parse(result.Output).RootElement.GetProperty("files").GetInt64(), Is.Zero);
        Assert.That(_store.Exists("/a.bin"), Is.False);
    }

    [Test]
    public async Task An_interrupted_folder_ends_at_once_whatever_is_still_in_line()
    {
        for (var i = 0; i < 50; i++) _folder.Add($"d/{i:D2}", new byte[50_000]);
        using var stop = new CancellationTokenSource();
        var stall = _server.Faults.OmitFinalReply("STOR", skip: 5);
        var run = new CliHarness().RunAsync(stop.Token, "put", "--sessions", "1", _folder["d"], Url("/d"));
        await stall.FirstFired.WaitAsync(TimeSpan.FromSeconds(30));
        await stop.CancelAsync().WaitAsync(TimeSpan.FromSeconds(30));
        var result = await run.WaitAsync(TimeSpan.FromSeconds(30));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Interrupted), result.ToString());
    }

    private static void AssertDone(CliResult result) => Assert.That(result.Code, Is.Zero, result.ToString());

    private static Task<CliResult> RunAsync(CliHarness harness, params string[] args) => harness.RunAsync(args);

    private string Text(string path) => Encoding.UTF8.GetString(_store.ReadFile(path));
}
