using System.Text;
using Transfer.Cli.Urls;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Which files a command takes: lists, patterns with braces and in any part, filters for named files, the newest.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FileSelectionTests : FtpCommandFixture
{
    private static readonly DateTimeOffset Time = new(2024, 3, 5, 10, 20, 30, TimeSpan.Zero);

    [TestCase("a{b,c}d", "abd acd")]
    [TestCase("{a,b}{1,2}", "a1 a2 b1 b2")]
    [TestCase("x{a,{b,c}y}z", "xaz xbyz xcyz")]
    [TestCase("{a}", "{a}")]
    [TestCase("a{b,c", "a{b,c")]
    [TestCase("a}b,c{", "a}b,c{")]
    [TestCase("\\{a,b}", "\\{a,b}")]
    [TestCase("{,x}y", "y xy")]
    [TestCase("{{a,b}", "{a {b")]
    public void Braces_expand_as_in_a_shell(string text, string expanded) =>
        Assert.That(BraceExpansion.Expand(text), Is.EqualTo(expanded.Split(' ')));

    [Test]
    public void Braces_that_would_stand_for_too_many_are_refused() =>
        Assert.That(() => BraceExpansion.Expand(string.Concat(Enumerable.Repeat("{a,b}", 60))), Throws.TypeOf<UsageException>());

    [TestCase("/in/*/x.txt", "/in/1/x.txt /in/2/x.txt")]
    [TestCase("/in/[12]/*.txt", "/in/1/x.txt /in/1/y.txt /in/2/x.txt")]
    [TestCase("/in/{1,3}/*", "/in/1/x.txt /in/1/y.txt /in/3/z.bin")]
    [TestCase("/{in/1/x,in/3/z}.*", "/in/1/x.txt /in/3/z.bin")]
    [TestCase("/*/*/*.bin", "/in/3/z.bin")]
    public async Task A_pattern_may_be_in_any_part(string pattern, string paths)
    {
        Fill("/in/1/x.txt", "/in/1/y.txt", "/in/2/x.txt", "/in/3/z.bin", "/in/file");
        var result = await RunAsync("hash", "--json", Url(pattern));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Lines(result).Select(line => System.Text.Json.JsonDocument.Parse(line).RootElement.GetProperty("path").GetString()),
            Is.EqualTo(paths.Split(' ')));
    }

    [Test]
    public async Task A_name_with_braces_is_itself_where_nothing_else_matches()
    {
        Fill("/{a,b}");
        Assert.That((await RunAsync("cat", Url("/{a,b}"))).Output, Is.EqualTo("/{a,b}"));
        Fill("/a");
        var result = await RunAsync("cat", Url("/{a,b}"));
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.SomeFailed, "/a")), "b is missing");
    }

    [Test]
    public async Task Matches_of_one_name_in_several_folders_are_not_written_over_each_other()
    {
        Fill("/in/1/x", "/in/2/x");
        var result = await RunAsync("get", Url("/in/*/x"), _folder.Path);
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(File.ReadAllText(_folder["x"]), Is.EqualTo("/in/1/x"));
    }

    [Test]
    public async Task Rm_deletes_no_folder_above_by_a_pattern()
    {
        Fill("/in/1/x");
        var result = await RunAsync("rm", "-r", Url("/in/{1/..,2/..}"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/1/x" }));
    }

    [TestCase("--files-from", "\uFEFFa\nsub/b\r\n\n./sub/c")]
    [TestCase("--files-from", "a\nsub/b\r\n\n./sub/c")]
    [TestCase("--files-from0", "a\0sub/b\0sub/c\0")]
    public async Task Put_get_and_rm_take_the_files_of_a_list_and_keep_their_paths(string option, string text)
    {
        foreach (var name in new[] { "a", "sub/b", "sub/c", "other" }) _folder.Add("in/" + name, name);
        var list = _folder.Add("list", text);
        var put = await RunAsync("put", option, list, _folder["in"], Url("/up"));
        Assert.That(put.Code, Is.Zero, put.ToString());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/up/a", "/up/sub/b", "/up/sub/c" }));

        var get = await new CliHarness { Input = Encoding.UTF8.GetBytes(text) }.RunAsync("get", option, "-", Url("/up/"), _folder["down"]);
        Assert.That(get.Code, Is.Zero, get.ToString());
        Assert.That(TempFolder.FilesIn(_folder["down"]), Is.EqualTo(new[] { "a", "sub/b", "sub/c" }));

        Fill("/up/other");
        var remove = await RunAsync("rm", option, list, Url("/up"));
        Assert.That(remove.Code, Is.Zero, remove.ToString());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/up/other" }));
    }

    [Test]
    public async Task A_missing_name_of_a_list_fails_and_the_rest_is_sent()
    {
        _folder.Add("in/a", "x");
        var result = await RunAsync("put", "--files-from", _folder.Add("list", "none\na\n"), _folder["in"], Url("/up"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(_store.Files, Is.EqualTo(new[] { "/up/a" }));
    }

    [TestCase("../x")]
    [TestCase("/x")]
    [TestCase("a/./b")]
    [TestCase("a//b")]
    [TestCase("a/")]
    public async Task A_name_that_leads_out_of_the_source_is_refused(string name)
    {
        _folder.Add("in/a", "x");
        var result = await RunAsync("put", "--files-from", _folder.Add("list", name), _folder["in"], Url("/up"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task Copy_between_servers_takes_a_list()
    {
        Fill("/from/a", "/from/sub/b", "/from/c");
        await using var other = await FtpTestServer.StartAsync(new FtpTestServerOptions());
        var list = _folder.Add("list", "a\nsub/b\n");
        var result = await RunAsync("copy", "--files-from", list, Url("/from"), $"ftp://demo:demo@{other.EndPoint}/to");
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(((MemoryStore)other.Store).Files, Is.EqualTo(new[] { "/to/a", "/to/sub/b" }));
    }

    [Test]
    public async Task Filters_hold_for_named_files_matches_and_lists()
    {
        foreach (var name in new[] { "a.txt", "b.tmp", "c.txt" }) _folder.Add("in/" + name, name);
        await RunAsync("put", "--exclude", "*.tmp", _folder["in/a.txt"], _folder["in/b.tmp"], Url("/1/"));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/1/a.txt" }));
        await RunAsync("put", "--exclude", "{b,c}*", "--files-from", _folder.Add("list", "a.txt\nb.tmp\nc.txt"), _folder["in"], Url("/2"));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/1/a.txt", "/2/a.txt" }));
        Fill("/d/x.txt", "/d/y.tmp", "/d/dir/z");
        var matches = await RunAsync("get", "--exclude", "*.tmp", "--exclude", "dir/", Url("/d/*"), _folder["3/"]);
        Assert.That(TempFolder.FilesIn(_folder["3"]), Is.EqualTo(new[] { "x.txt" }), matches.ToString());
        var named = await RunAsync("get", "--min-size", "1K", Url("/d/x.txt"), Url("/d/y.tmp"), _folder["4/"]);
        Assert.That((named.Code, TempFolder.FilesIn(_folder["4"])), Is.EqualTo((0, Array.Empty<string>())), named.ToString());
    }

    [Test]
    public async Task Filters_come_from_files_too()
    {
        foreach (var name in new[] { "a.txt", "b.tmp", "c.log" }) _folder.Add("in/" + name, name);
        var filter = _folder.Add("filter", "# remark\n\n+ *.{txt,log}\n- c.*\n");
        var result = await RunAsync("put", "--filter-from", filter, _folder["in"], Url("/up"));
        Assert.That((result.Code, _store.Files), Is.EqualTo((0, new[] { "/up/a.txt" })), result.ToString());
    }

    [Test]
    public async Task The_newest_are_taken_of_files_and_of_matches()
    {
        string[] sources = [_folder.Add("1", [1], Time), _folder.Add("2", [1], Time.AddDays(2)), _folder.Add("3", [1], Time.AddDays(1))];
        await RunAsync(["put", "--newest", "2", .. sources, Url("/up/")]);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/up/2", "/up/3" }));
        var result = await RunAsync("get", "--newest", "1", Url("/up/*"), _folder["down/"]);
        Assert.That(TempFolder.FilesIn(_folder["down"]), Is.EqualTo(new[] { "2" }), result.ToString());
    }

    [Test]
    public async Task A_folder_is_refused_where_the_newest_files_are_wanted([Values("/in", "/in/")] string path, [Values] bool isDry)
    {
        _store.AddFile("/in/x", "x"u8, Time);
        var result = await RunAsync(["get", "--newest", "1", .. isDry ? ["--dry-run"] : Array.Empty<string>(), Url(path), _folder["down"]]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage), result.ToString());
        Assert.That(result.Error, Does.Contain("--newest is for files"));
    }

    [Test]
    public async Task The_newest_of_several_folders_is_taken_whichever_name_it_has()
    {
        _store.AddFile("/in/1/x", "old"u8, Time);
        _store.AddFile("/in/2/x", "new"u8, Time.AddDays(1));
        var result = await RunAsync("get", "--newest", "1", Url("/in/*/x"), _folder["down/"]);
        Assert.That((result.Code, File.ReadAllText(_folder["down/x"])), Is.EqualTo((0, "new")), result.ToString());
        var both = await RunAsync("get", "--newest", "2", Url("/in/*/x"), _folder["both/"]);
        Assert.That(both.Code, Is.EqualTo(ExitCode.SomeFailed), "one name for two");
        var twice = await RunAsync("get", "--newest", "2", Url("/in/1/x"), Url("/in/2/x"), Url("/in/2/x"), _folder["twice/"]);
        Assert.That(twice.Code, Is.EqualTo(ExitCode.SomeFailed), "the second newest is another file");
    }

    [Test]
    public async Task Rm_of_a_list_fails_for_the_names_that_are_missing()
    {
        Fill("/up/a", "/up/other");
        string[] remove = ["rm", "--files-from", _folder.Add("list", "none\na\n"), Url("/up")];
        var result = await RunAsync(remove);
        Assert.That((result.Code, _store.Files), Is.EqualTo((ExitCode.SomeFailed, new[] { "/up/other" })), result.ToString());
        Assert.That(result.Error, Does.Contain("/up/none"));
        Assert.That((await RunAsync(remove)).Code, Is.EqualTo(ExitCode.NotFound), "as of one that is named");
    }

    [TestCase("--exclude", "*.tmp", true)]
    [TestCase("--exclude", "li*", false)]
    [TestCase("--min-size", "1K", true)]
    public async Task A_filter_judges_a_named_link_by_its_name(string option, string value, bool isTaken)
    {
        Fill("/d/file");
        _store.AddSymbolicLink("/d/link", "file");
        await using var sftp = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
        string[] login = ["--ssh-config", "none", "--pin", sftp.HostKeys[0].Fingerprint];
        var link = $"sftp://demo:demo@{sftp.EndPoint}/d/link";
        var get = await RunAsync(["get", option, value, .. login, link, _folder["down/"]]);
        Assert.That((get.Code, TempFolder.FilesIn(_folder["down"])), Is.EqualTo((0, isTaken ? ["link"] : Array.Empty<string>())),
            get.ToString());
        var copy = await RunAsync(["copy", option, value, "--from-pin", sftp.HostKeys[0].Fingerprint, "--ssh-config", "none", link,
            Url("/copied")]);
        Assert.That((copy.Code, _store.Exists("/copied")), Is.EqualTo((0, isTaken)), copy.ToString());
    }

    [TestCase("hash")]
    [TestCase("ls")]
    [TestCase("rm")]
    public async Task A_folder_that_may_not_be_read_fails_and_the_matches_in_others_are_taken(string verb)
    {
        Fill("/in/1/x", "/in/2/x", "/in/3/x");
        // As vsftpd refuses a folder that may not be entered: the answer for an absent one.
        foreach (var refused in new[] { "CWD", "MLSD", "LIST", "NLST", "STAT" })
            _server.Faults.Reply(refused, "550 Failed to change directory.", times: 99, path: "/in/2");
        var result = await RunAsync(verb, Url("/in/*/x*"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("/in/2"));
        if (verb == "rm") Assert.That(_store.Files, Is.EqualTo(new[] { "/in/2/x" }));
        else Assert.That(Lines(result), Has.Length.EqualTo(2), result.ToString());
    }

    [Test]
    public async Task A_folder_that_some_folders_lack_has_no_matches_there()
    {
        Fill("/in/1/sub/x", "/in/2/y");
        var result = await RunAsync("ls", Url("/in/*/sub/*"));
        Assert.That((result.Code, Lines(result)), Is.EqualTo((0, new[] { "x" })), result.ToString());
    }

    [TestCase("get", "/d/*")]
    [TestCase("get --newest 2", "/d/*")]
    [TestCase("cat", "/d/*")]
    [TestCase("hash", "/d/*")]
    [TestCase("chmod 644", "/d/*")]
    [TestCase("rm", "/d/*")]
    [TestCase("rm -r", "/d/*")]
    [TestCase("ls", "/d/*/*")]
    public async Task A_match_whose_name_no_request_can_have_fails_and_the_others_are_taken(string verb, string path)
    {
        Fill("/d/a\nb", "/d/ok", "/d/f\rg/x", "/d/sub/x");
        await using var sftp = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
        string[] target = verb.StartsWith("get", StringComparison.Ordinal) ? [_folder["down/"]] : [];
        var result = await RunAsync([.. verb.Split(' '), "--ssh-config", "none", "--pin", sftp.HostKeys[0].Fingerprint,
            $"sftp://demo:demo@{sftp.EndPoint}{path}", .. target]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("CR, LF or NUL"));
        if (target.Length > 0) Assert.That(TempFolder.FilesIn(_folder["down"]), Does.Contain("ok"));
        if (verb.StartsWith("rm", StringComparison.Ordinal))
            Assert.That(_store.Files, Does.Contain("/d/a\nb").And.Contain("/d/f\rg/x").And.Not.Contain("/d/ok"));
        if (verb is "cat") Assert.That(result.Output, Is.EqualTo("/d/ok"));
        if (verb is "ls") Assert.That(result.Output, Is.EqualTo("x\n"));
    }

    [Test]
    public async Task Ls_shows_a_name_that_no_request_can_have()
    {
        Fill("/d/a\nb", "/d/ok");
        await using var sftp = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
        var result = await RunAsync("ls", "--json", "--ssh-config", "none", "--pin", sftp.HostKeys[0].Fingerprint,
            $"sftp://demo:demo@{sftp.EndPoint}/d/*");
        Assert.That((result.Code, Lines(result).Length), Is.EqualTo((0, 2)), result.ToString());
    }

    private void Fill(params string[] paths)
    {
        foreach (var path in paths) _store.AddFile(path, Encoding.UTF8.GetBytes(path), Time);
    }

    private static string[] Lines(CliResult result) => result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
