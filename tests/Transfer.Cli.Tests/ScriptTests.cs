using System.Text;

namespace Transfer.Cli.Tests;

/// <summary>Many commands over one connection: <c>transfer run</c>.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ScriptTests : FtpCommandFixture
{
    [Test]
    public async Task The_lines_of_a_script_share_one_connection()
    {
        _folder.Add("a.txt", "aaa");
        var result = await ScriptAsync($"""
            # what a night needs
            mkdir new/deep
            put {_folder["a.txt"]} new/
            ls new
            mv new/a.txt new/b.txt
            cat new/b.txt
            stat --json new/b.txt
            chmod 640 new/b.txt
            get new/*.txt {_folder["down/"]}
            rm new/b.txt
            """, "--sessions", "1");
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(result.Output, Does.StartWith("a.txt\ndeep\naaa{\"path\":\"/base/new/b.txt\""), result.ToString());
        Assert.That(File.ReadAllText(_folder["down/b.txt"]), Is.EqualTo("aaa"));
        Assert.That((_store.Exists("/base/new/deep"), _store.Exists("/base/new/b.txt")), Is.EqualTo((true, false)));
        Assert.That(_server.TotalConnections, Is.EqualTo(1));
    }

    [Test]
    public async Task Paths_are_relative_to_the_folder_of_the_last_cd()
    {
        _store.AddFile("/base/sub/x", "1"u8);
        _store.AddFile("/base/y", "2"u8);
        _store.AddFile("/top", "3"u8);
        var result = await ScriptAsync("""
            cd sub
            pwd
            cat x
            cd ..
            cat y
            cd /
            cat top ./top base/sub/../y
            cd ../..
            pwd
            """);
        var server = $"ftp://demo@{_server.EndPoint}";
        Assert.That((result.Code, result.Output), Is.EqualTo((0, $"{server}/base/sub/\n12332{server}/\n")), result.ToString());
    }

    [TestCase("rm -r \"\"")]
    [TestCase("rm -r :")]
    [TestCase("rm -r .")]
    [TestCase("rm -r ./")]
    [TestCase("rm -r sub/..")]
    [TestCase("mv \"\" /moved")]
    [TestCase("get --remove-source \"\" down/")]
    [TestCase("chmod -R 000 \"\"")]
    [TestCase("cd \"\"")]
    [TestCase("lcd \"\"")]
    public async Task A_word_without_text_is_not_the_folder_of_the_script(string line)
    {
        _store.AddFile("/base/sub/x", "1"u8);
        var result = await ScriptAsync($"{line}\nmkdir behind");
        Assert.That((result.Code, _store.Exists("/base/sub/x"), _store.Exists("/base/behind")), Is.EqualTo((ExitCode.Usage, true, false)),
            result.ToString());
    }

    [TestCase("cd none", ExitCode.NotFound)]
    [TestCase("cd file", ExitCode.NotFound)]
    [TestCase("cd *", ExitCode.Usage)]
    [TestCase("cat none", ExitCode.NotFound)]
    [TestCase("frobnicate", ExitCode.Usage)]
    [TestCase("ls ${NOWHERE}", ExitCode.Usage)]
    [TestCase("ls 'a", ExitCode.Usage)]
    [TestCase("ls --sessions 3", ExitCode.Usage)]
    [TestCase("put --limit 1M x .", ExitCode.Usage)]
    [TestCase("ls -vv", ExitCode.Usage)]
    [TestCase("demo", ExitCode.Usage)]
    [TestCase("run x", ExitCode.Usage)]
    [TestCase("lcd nowhere", ExitCode.NotFound)]
    [TestCase("sleep long", ExitCode.Usage)]
    [TestCase("on-error maybe", ExitCode.Usage)]
    [TestCase("set 1 x", ExitCode.Usage)]
    [TestCase("put - x", ExitCode.Usage)]
    [TestCase("get --files-from - . .", ExitCode.Usage)]
    [TestCase("exit 7", 7)]
    public async Task A_line_that_fails_ends_the_script_with_its_code(string line, int code)
    {
        _store.AddFile("/base/file", "x"u8);
        var result = await ScriptAsync($"mkdir before\n{line}\nmkdir behind");
        Assert.That(result.Code, Is.EqualTo(code), result.ToString());
        Assert.That((_store.Exists("/base/before"), _store.Exists("/base/behind")), Is.EqualTo((true, false)));
        if (!line.StartsWith("exit", StringComparison.Ordinal))
            Assert.That(result.Error, Does.Contain($"standard input, line 2 ended with {code}, and the script stops there."));
    }

    [Test]
    public async Task A_script_goes_on_behind_a_failure_where_it_says_so()
    {
        var result = await ScriptAsync("on-error continue\ncat none\nmkdir a\non-error stop\n-rm none\nmkdir b");
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That((_store.Exists("/base/a"), _store.Exists("/base/b")), Is.EqualTo((true, true)));
        Assert.That((await ScriptAsync("-rm none\nls")).Code, Is.Zero);
    }

    [Test]
    public async Task Variables_come_from_the_script_the_call_the_environment_and_the_clock()
    {
        var result = await ScriptAsync("""
            set greeting "one  two"
            echo ${greeting} "x ${name} ""q"" y" '${literal} it''s' ${HERE} a#b # remark
            echo ${date:yyyy} ${utc-1d:yyyyMMdd} ${date+1w}
            """, ["name=value"]);
        var (now, lines) = (DateTimeOffset.UtcNow, result.Output.Split('\n'));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(lines[0], Is.EqualTo("one  two x value \"q\" y ${literal} it's env a#b"));
        var yesterdays = new[] { now, now.AddMinutes(-5) }.Select(time => $"{time.AddDays(-1):yyyyMMdd}");
        Assert.That(yesterdays, Does.Contain(lines[1].Split(' ')[1]));
        Assert.That(lines[1], Does.Match(@"^\d{4} \d{8} \d{4}-\d\d-\d\d$"));
    }

    [Test]
    public async Task Copy_and_sync_take_a_path_at_the_server_with_a_colon()
    {
        _folder.Add("site/index.html", "hello");
        var result = await ScriptAsync(
            $"lcd {_folder.Path}\nsync site :www\ncopy :www/ :copy\ncopy :copy/ back\ncheck --hash site :/base/www");
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Encoding.UTF8.GetString(_store.ReadFile("/base/copy/index.html")), Is.EqualTo("hello"));
        Assert.That(File.ReadAllText(_folder["back/index.html"]), Is.EqualTo("hello"));
    }

    [TestCase("get a\nget b")]
    [TestCase("get --remove-source a .\nget --remove-source b .")]
    [TestCase("copy :a .\ncopy :b .")]
    public async Task Files_keep_their_names_in_a_local_folder_that_vanished(string lines)
    {
        _store.AddFile("/base/a", "1"u8);
        _store.AddFile("/base/b", "2"u8);
        _store.AddFile("/base/other/c", "3"u8);
        Directory.CreateDirectory(_folder["here/in"]);
        var result = await ScriptAsync($"lcd {_folder["here/in"]}\nsync --delete :other {_folder["here"]}\n{lines}");
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(new[] { "a", "b" }.Select(name => File.ReadAllText(_folder[$"here/in/{name}"])), Is.EqualTo(new[] { "1", "2" }));
    }

    [Test]
    public async Task Lcd_goes_home()
    {
        Directory.CreateDirectory(_folder["a"]);
        var harness = new CliHarness { Input = "lcd\nlpwd\nlcd ~/a\nlpwd\nlcd ..\nlcd ~\nlpwd"u8.ToArray(), Home = _folder.Path };
        var result = await harness.RunAsync("run", "-");
        var home = Path.TrimEndingDirectorySeparator(_folder.Path);
        Assert.That((result.Code, result.Output), Is.EqualTo((0, $"{home}\n{home}/a\n{home}\n")), result.ToString());
    }

    [Test]
    public async Task Lines_have_the_log_and_the_messages_of_the_script()
    {
        var log = _folder["run.log"];
        var file = _folder.Add("a", "content");
        var result = await ScriptAsync($"put {file} .\nput -v {file} b", "--log", log, "--quiet");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), "quiet is the script's, and -v contradicts that: " + result);
        var lines = File.ReadAllLines(log);
        Assert.That(lines.Count(line => line.Contains("\tsent\t7\t", StringComparison.Ordinal)), Is.EqualTo(1));
        Assert.That(string.Join('\n', lines), Does.Contain("line 2 ended with 2").And.Not.Contain("demo:demo"));
    }

    [Test]
    public async Task Without_a_server_lines_have_urls_and_the_password_of_the_environment_goes_nowhere()
    {
        _store.AddFile("/x", "content"u8);
        var script = _folder.Add("script", $"cat {Url("/x")}\nls ftp://demo@{_server.EndPoint}/");
        var harness = new CliHarness { Environment = { ["TRANSFER_PASSWORD"] = "demo" } };
        var result = await harness.RunAsync("run", script);
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.Usage, "content")), result.ToString());
        Assert.That(result.Error, Does.Contain("No password for demo").And.Contain($"{script}, line 2"));
    }

    [TestCase("wants a file", "run")]
    [TestCase("cannot be read", "run", "/nowhere/script")]
    [TestCase("NAME=VALUE", "run", "-", "x")]
    [TestCase("name that by --server", "run", "-", "--user", "me")]
    [TestCase("name that by --server", "run", "-", "--tls", "explicit")]
    [TestCase("no pattern", "run", "-", "--server", "ftp://h.invalid/*")]
    [TestCase("is for FTP", "run", "-", "--server", "sftp://h.invalid/", "--no-epsv")]
    public async Task A_call_that_cannot_be_meant_is_refused(string why, params string[] args)
    {
        var result = await RunAsync(args);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error, Does.Contain(why));
    }

    [Test]
    public async Task An_interruption_ends_the_script_whatever_it_says_of_errors()
    {
        using var stop = new CancellationTokenSource();
        var harness = new CliHarness { Input = "on-error continue\nsleep 1h\nmkdir behind"u8.ToArray() };
        var run = harness.RunAsync(stop.Token, "run", "-", "--server", Url("/base"));
        await stop.CancelAsync();
        Assert.That((await run).Code, Is.EqualTo(ExitCode.Interrupted));
        Assert.That(_store.Exists("/base/behind"), Is.False);
    }

    private Task<CliResult> ScriptAsync(string script, params string[] options)
    {
        var harness = new CliHarness { Input = Encoding.UTF8.GetBytes(script), Environment = { ["HERE"] = "env" } };
        if (!_store.Exists("/base")) _store.AddDirectory("/base");
        return harness.RunAsync(["run", "-", .. options, "--server", Url("/base")]);
    }
}
