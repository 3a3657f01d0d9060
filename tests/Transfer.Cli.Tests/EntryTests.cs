using System.Text;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The verbs about entries, against the embedded server.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class EntryTests : IAsyncDisposable
{
    private readonly MemoryStore _store = new();
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start() => _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [TestCase("/d/")]
    [TestCase("/d")]
    public async Task Ls_lists_names_sorted(string path)
    {
        Fill("/d/b", "/d/a c", "/d/ä", "/d/sub/x");
        var result = await RunAsync("ls", path);
        Assert.That((result.Code, result.Output, result.Error), Is.EqualTo((0, "a c\nb\nsub\nä\n", "")));
    }

    [Test]
    public async Task Ls_of_a_file_lists_it()
    {
        Fill("/d/b");
        Assert.That((await RunAsync("ls", "/d/b")).Output, Is.EqualTo("b\n"));
    }

    [Test]
    public async Task Ls_of_an_empty_folder_is_empty()
    {
        _store.AddDirectory("/d");
        var result = await RunAsync("ls", "/d");
        Assert.That((result.Code, result.Output), Is.EqualTo((0, "")));
    }

    [TestCase("/nowhere")]
    [TestCase("/nowhere/")]
    [TestCase("/d/*.nothing")]
    public async Task Ls_of_nothing_is_not_found(string path)
    {
        _store.AddDirectory("/d");
        var result = await RunAsync("ls", path);
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.NotFound, "")), result.ToString());
    }

    [Test]
    public async Task Ls_takes_patterns()
    {
        Fill("/d/a.txt", "/d/b.txt", "/d/c.bin");
        Assert.That((await RunAsync("ls", "/d/?.txt")).Output, Is.EqualTo("a.txt\nb.txt\n"));
    }

    [TestCase("/d/")]
    [TestCase("/d")]
    [TestCase("/~/d")]
    public async Task Ls_of_a_tree_prints_paths_from_the_folder_on_level_by_level(string path)
    {
        Fill("/d/b", "/d/sub/x", "/d/sub/deep/y", "/d/a", "/e");
        var result = await RunAsync("ls", "-R", path);
        var lines = result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(lines, Is.EquivalentTo(new[] { "a", "b", "sub", "sub/x", "sub/deep", "sub/deep/y" }), result.ToString());
        Assert.That(lines.Select(line => line.Count(c => c == '/')), Is.Ordered);
        var columns = (await RunAsync("ls", "-R", "-l", path)).Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(columns.Select(line => line.Split(' ')[^1]), Is.EqualTo(lines));
        var json = (await RunAsync("ls", "-R", "--json", path)).Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That(json, Has.Length.EqualTo(6));
    }

    [Test]
    public async Task Ls_of_a_tree_goes_on_behind_a_folder_that_is_refused_and_ends_with_1()
    {
        Fill("/d/1/x", "/d/2/x", "/d/3/x");
        foreach (var command in (string[])["MLSD", "STAT"])
            _server.Faults.Reply(command, "550 Not yours.", times: int.MaxValue, path: "/d/2");
        var result = await RunAsync("ls", "-R", "/d");
        Assert.That(result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries),
            Is.EquivalentTo(new[] { "1", "2", "3", "1/x", "3/x" }), result.ToString());
        Assert.That(result.Code, Is.EqualTo(1));
        Assert.That(result.Error, Does.Contain("/d/2"));
    }

    [Test]
    public async Task Ls_of_several_names_each_and_goes_on_behind_one_that_is_missing()
    {
        Fill("/d/a", "/e/b");
        var result = await SeveralAsync("ls", "/d", "/none", "/e");
        Assert.That(result.Output,
            Is.EqualTo($"{Shown("/d")}:\na\n\n{Shown("/none")}:\n\n{Shown("/e")}:\nb\n"), result.ToString());
        Assert.That(result.Code, Is.EqualTo(1));
        Assert.That(result.Error, Does.Contain(Shown("/none")));
        var both = await SeveralAsync("ls", "-d", "/d/a", "/e/b");
        Assert.That(both.Output, Is.EqualTo("a\nb\n"), both.ToString());
        Assert.That(_server.TotalConnections, Is.LessThanOrEqualTo(2), "one client for all URLs of a run");
    }

    [Test]
    public async Task Stat_and_mkdir_and_rm_take_several()
    {
        Fill("/a", "/b", "/c");
        var described = await SeveralAsync("stat", "/a", "/none", "/b");
        Assert.That(described.Output.Split("\n\n").Select(text => text.Split('\n')[0]),
            Is.EqualTo(new[] { "path      /a", "path      /b" }));
        Assert.That((described.Code, (await SeveralAsync("stat", "--json", "/a", "/b")).Output.Count(c => c == '\n')), Is.EqualTo((1, 2)));
        Assert.That((await SeveralAsync("mkdir", "/x/y", "/z")).Code, Is.Zero);
        Assert.That((_store.Exists("/x/y"), _store.Exists("/z")), Is.EqualTo((true, true)));
        Assert.That((await SeveralAsync("rm", "/a", "/none", "/b")).Code, Is.EqualTo(1));
        Assert.That((await SeveralAsync("rm", "/none", "/nor-this")).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That((_store.Exists("/a"), _store.Exists("/b"), _store.Exists("/c")), Is.EqualTo((false, false, true)));
    }

    [Test]
    public async Task Rm_of_several_deletes_none_where_one_is_the_root()
    {
        Fill("/a");
        Assert.That((await SeveralAsync("rm", "-r", "/a", "/")).Code, Is.EqualTo(ExitCode.Usage));
        Assert.That(_store.Exists("/a"));
    }

    [Test]
    public async Task Ls_shows_columns()
    {
        _store.AddFile("/d/a", new byte[1234], new DateTimeOffset(2031, 2, 3, 4, 5, 6, TimeSpan.Zero));
        _store.AddFile("/d/b", [], new DateTimeOffset(2030, 2, 3, 4, 5, 6, TimeSpan.Zero));
        var lines = (await RunAsync("ls", "-l", "--utc", "/d")).Output.Split('\n');
        Assert.That(lines[0], Does.StartWith("-rw").And.EndWith(" 1234 2031-02-03 04:05:06 a"));
        Assert.That(lines[1], Does.EndWith("    0 2030-02-03 04:05:06 b"));
    }

    [Test]
    public async Task Ls_prints_json_an_entry_a_line()
    {
        _store.AddFile("/d/a", new byte[5], new DateTimeOffset(2031, 2, 3, 4, 5, 6, TimeSpan.Zero));
        _store.AddDirectory("/d/s");
        var lines = (await RunAsync("ls", "--json", "/d")).Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var entries = lines.Select(l => JsonDocument.Parse(l).RootElement).OrderBy(e => e.GetProperty("path").GetString(),
            StringComparer.Ordinal).ToList();
        Assert.That(entries.Select(e => (e.GetProperty("path").GetString(), e.GetProperty("type").GetString())),
            Is.EqualTo(new[] { ("/d/a", "file"), ("/d/s", "directory") }));
        Assert.That(entries[0].GetProperty("length").GetInt64(), Is.EqualTo(5));
        Assert.That(entries[0].GetProperty("modified").GetDateTimeOffset(),
            Is.EqualTo(new DateTimeOffset(2031, 2, 3, 4, 5, 6, TimeSpan.Zero)));
    }

    [Test]
    public async Task Names_are_bytes_in_a_pipe_and_harmless_on_a_terminal()
    {
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store, Utf8 = false });
        Fill("/d/\u001b[2Jä");
        var url = $"ftp://demo:demo@{server.EndPoint}/d";
        Assert.That((await new CliHarness().RunAsync("ls", url)).Bytes, Is.EqualTo(Encoding.Latin1.GetBytes("\u001b[2Jä\n")));
        Assert.That((await new CliHarness { OutputIsTerminal = true }.RunAsync("ls", url)).Output, Is.EqualTo("?[2J\\xe4\n"));
        Assert.That((await new CliHarness().RunAsync("ls", "--encoding", "iso-8859-1", url)).Output, Is.EqualTo("\u001b[2Jä\n"));
    }

    [Test]
    public async Task A_name_that_is_not_utf8_is_reached_by_its_percent_encoding()
    {
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store, Utf8 = false });
        _store.AddFile("/ä", "content"u8);
        Assert.That((await new CliHarness().RunAsync("cat", $"ftp://demo:demo@{server.EndPoint}/%E4")).Output, Is.EqualTo("content"));
    }

    [Test]
    public async Task Stat_describes_an_entry()
    {
        _store.AddFile("/a", new byte[5], new DateTimeOffset(2031, 2, 3, 4, 5, 6, TimeSpan.Zero));
        var text = (await RunAsync("stat", "/a")).Output;
        Assert.That(text,
            Does.Contain("path      /a\n").And.Contain("type      file\n").And.Contain("size      5\n").And.Contain(
                "modified  2031-02-03T04:05:06Z\n"));
        var json = JsonDocument.Parse((await RunAsync("stat", "--json", "/a")).Output).RootElement;
        Assert.That(json.GetProperty("length").GetInt64(), Is.EqualTo(5));
        var missing = await RunAsync("stat", "/b");
        Assert.That((missing.Code, missing.Output), Is.EqualTo((ExitCode.NotFound, "")));
    }

    [Test]
    public async Task Mkdir_makes_the_folders_above_too_and_may_be_repeated()
    {
        Assert.That((await RunAsync("mkdir", "/a/b/c")).Code, Is.Zero);
        Assert.That((await RunAsync("mkdir", "/a/b/c/")).Code, Is.Zero);
        Assert.That(_store.Directories, Is.EqualTo(new[] { "/a", "/a/b", "/a/b/c" }));
    }

    [Test]
    public async Task Mv_renames_to_a_name_a_path_and_a_url()
    {
        Fill("/d/a");
        _store.AddDirectory("/e");
        Assert.That((await RunAsync("mv", "/d/a", "b")).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d/b" }));
        Assert.That((await RunAsync("mv", "/d/b", "/e/")).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/e/b" }));
        Assert.That((await RunAsync("mv", "/e/b", Url("/c%20d"))).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/c d" }));
    }

    [Test]
    public async Task Mv_replaces_unless_told_otherwise()
    {
        _store.AddFile("/a", "new"u8);
        _store.AddFile("/b", "old"u8);
        Assert.That((await RunAsync("mv", "--overwrite", "fail", "/a", "b")).Code, Is.EqualTo(ExitCode.SomeFailed));
        Assert.That(_store.ReadFile("/b"), Is.EqualTo("old"u8.ToArray()));
        Assert.That((await RunAsync("mv", "/a", "b")).Code, Is.Zero);
        Assert.That(_store.ReadFile("/b"), Is.EqualTo("new"u8.ToArray()));
        Assert.That((await RunAsync("mv", "/missing", "x")).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [Test]
    public async Task Rm_deletes_files_patterns_and_with_r_folders()
    {
        Fill("/d/a.txt", "/d/b.txt", "/d/c.bin", "/d/s/x");
        Assert.That((await RunAsync("rm", "/d/a.txt")).Code, Is.Zero);
        Assert.That((await RunAsync("rm", "/d/*.txt")).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d/c.bin", "/d/s/x" }));
        Assert.That((await RunAsync("rm", "/d/s")).Code, Is.Not.Zero);
        Assert.That((await RunAsync("rm", "/d/*")).Code, Is.EqualTo(ExitCode.SomeFailed));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d/s/x" }));
        Assert.That((await RunAsync("rm", "-r", "/d")).Code, Is.Zero);
        Assert.That((_store.Files.Count, _store.Directories.Count), Is.EqualTo((0, 0)));
        Assert.That((await RunAsync("rm", "/d")).Code, Is.EqualTo(ExitCode.NotFound));
    }

    private void Fill(params string[] paths)
    {
        foreach (var path in paths) _store.AddFile(path, "x"u8);
    }

    private Task<CliResult> RunAsync(params string[] args)
    {
        var path = Array.FindIndex(args, 1, a => a.StartsWith('/'));
        args[path] = Url(args[path]);
        return new CliHarness().RunAsync(args);
    }

    private Task<CliResult> SeveralAsync(params string[] args) =>
        new CliHarness().RunAsync([.. args.Select((arg, index) => index > 0 && arg.StartsWith('/') ? Url(arg) : arg)]);

    // A URL without its password.
    private string Shown(string path) => $"ftp://demo@{_server.EndPoint}{path}";

    private string Url(string path) => $"ftp://demo:demo@{_server.EndPoint}{path}";
}
