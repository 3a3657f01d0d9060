using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>--remove-source and --move-source-to: what has arrived goes at the source, and nothing else.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SourceDisposalTests : FtpCommandFixture
{
    [Test]
    public async Task Put_removes_what_has_arrived_and_leaves_what_was_skipped_or_failed()
    {
        foreach (var name in new[] { "new", "sub/deep", "there", "way" }) _folder.Add("in/" + name, name);
        _store.AddFile("/in/there", "x"u8);
        _store.AddDirectory("/in/way");
        var result = await RunAsync("put", "--remove-source", "--overwrite", "skip", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(TempFolder.FilesIn(_folder["in"]), Is.EqualTo(new[] { "there", "way" }));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/new", "/in/sub/deep", "/in/there" }));
    }

    [Test]
    public async Task A_single_file_and_several_files_go_too()
    {
        Assert.That((await RunAsync("put", "--remove-source", _folder.Add("a", "a"), Url("/a"))).Code, Is.Zero);
        var several = await RunAsync("put", "--move-source-to", "done", _folder.Add("b", "b"), _folder.Add("c", "c"), Url("/d/"));
        Assert.That(several.Code, Is.Zero, several.ToString());
        Assert.That(_folder.Files, Is.EqualTo(new[] { "done/b", "done/c" }));
        Assert.That((await RunAsync("get", "--remove-source", Url("/a"), _folder["a"])).Code, Is.Zero);
        Assert.That((await RunAsync("get", "--move-source-to", "/old", Url("/d/*"), _folder["down/"])).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/old/b", "/old/c" }));
    }

    [TestCase("--remove-source=0")]
    [TestCase("--remove-source=false")]
    public async Task A_switch_that_is_off_leaves_the_source(string option)
    {
        var result = await RunAsync("put", option, _folder.Add("a", "a"), Url("/in/"));
        Assert.That((result.Code, File.Exists(_folder["a"]), _store.Exists("/in/a")), Is.EqualTo((0, true, true)), result.ToString());
    }

    [TestCase("put", "--move-source-to")]
    [TestCase("sync", "--backup-dir")]
    public async Task An_archive_that_is_the_jobs_own_folder_is_refused_under_each_of_its_names(string verb, string option)
    {
        _folder.Add("in/a", "a");
        _store.AddFile("/to/a", "old"u8);
        foreach (var name in verb == "put" ? new[] { "sub/..", "../in", _folder["in"] } : ["sub/..", "../to", "/to", "/other/../to/"])
        {
            var result = await RunAsync(verb, option, name, _folder["in/"], Url("/to"));
            Assert.That((result.Code, result.Error),
                Is.EqualTo((ExitCode.Usage, $"transfer: {option} wants another folder than that of the files.\n")), name);
        }

        Assert.That((File.Exists(_folder["in/a"]), _store.ReadFile("/to/a")), Is.EqualTo((true, "old"u8.ToArray())));
    }

    [TestCase("put")]
    [TestCase("get")]
    [TestCase("copy")]
    public async Task The_full_path_of_a_single_files_own_folder_is_refused_before_the_file_moves(string verb)
    {
        var local = _folder.Add("in/a", "a");
        _store.AddFile("/in/b", "b"u8);
        string[] arguments = verb switch
        {
            "put" => [_folder["in"], local, Url("/to/a")],
            "get" => ["/in", Url("/in/b"), _folder["b"]],
            _ => ["/in/", Url("/in/b"), Url("/to/b")],
        };
        var result = await RunAsync([verb, "--move-source-to", .. arguments]);
        Assert.That((result.Code, result.Error),
            Is.EqualTo((ExitCode.Usage, "transfer: --move-source-to wants another folder than that of the files.\n")));
        Assert.That((_store.Files, _folder.Files), Is.EqualTo((new[] { "/in/b" }, new[] { "in/a" })));
    }

    [Test]
    public async Task Get_archives_a_folder_on_the_same_session_and_does_not_fetch_the_archive()
    {
        _store.AddFile("/in/a", "1"u8);
        _store.AddFile("/in/sub/b", "2"u8);
        for (var run = 0; run < 2; run++)
        {
            var result = await RunAsync("get", "--sessions", "1", "--move-source-to", "done", Url("/in/"), _folder["down"]);
            Assert.That(result.Code, Is.Zero, result.ToString());
        }

        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/done/a", "/in/done/sub/b" }));
        Assert.That(TempFolder.FilesIn(_folder["down"]), Is.EqualTo(new[] { "a", "sub/b" }));
        Assert.That(_server.Commands.Count(command => command.Verb == "PASS"), Is.EqualTo(2), "a session a run");
    }

    [Test]
    public async Task A_name_that_the_archive_has_gets_a_number()
    {
        _store.AddFile("/in/a", "new"u8);
        _store.AddFile("/old/a", "old"u8);
        Assert.That((await RunAsync("get", "--move-source-to", "/old", Url("/in/a"), _folder["a"])).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/old/a", "/old/a.~1~" }));
        Assert.That(_store.ReadFile("/old/a"), Is.EqualTo("old"u8.ToArray()));
    }

    [Test]
    public async Task Copy_and_sync_move_between_servers_and_remove_the_source_of_what_both_sides_have()
    {
        var time = new DateTimeOffset(2024, 3, 5, 10, 20, 30, TimeSpan.Zero);
        await using var other = await FtpTestServer.StartAsync(new FtpTestServerOptions());
        var target = (MemoryStore)other.Store;
        _store.AddFile("/in/a", [1], time);
        foreach (var store in new[] { _store, target }) store.AddFile("/in/same", [1], time);
        var url = $"ftp://demo:demo@{other.EndPoint}";
        Assert.That((await RunAsync("sync", "--remove-source", Url("/in"), url + "/in")).Code, Is.Zero);
        Assert.That((_store.Files, target.Files), Is.EqualTo((Array.Empty<string>(), new[] { "/in/a", "/in/same" })));
        _store.AddFile("/one", [1], time);
        Assert.That((await RunAsync("copy", "--remove-source", Url("/one"), url + "/one")).Code, Is.Zero);
        Assert.That(_store.Files, Is.Empty);
    }

    [Test]
    public async Task Sync_of_a_folder_with_itself_removes_nothing()
    {
        _store.AddFile("/in/a", [1]);
        var result = await RunAsync("sync", "--remove-source", Url("/in"), Url("/in"));
        Assert.That(result.Code, Is.Not.Zero, result.ToString());
        Assert.That(result.Error, Does.Contain("no source is removed"));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/a" }));
    }

    [Test]
    public async Task Copy_and_sync_between_servers_archive_at_the_source()
    {
        await using var other = await FtpTestServer.StartAsync(new FtpTestServerOptions());
        foreach (var name in new[] { "/in/a", "/in/sub/b", "/one" }) _store.AddFile(name, [1]);
        var url = $"ftp://demo:demo@{other.EndPoint}";
        Assert.That((await RunAsync("copy", "--move-source-to", "/old", Url("/one"), url + "/one")).Code, Is.Zero);
        Assert.That((await RunAsync("copy", "--move-source-to", "/old", Url("/in"), url + "/in")).Code, Is.Zero);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/old/a", "/old/one", "/old/sub/b" }));
        _store.AddFile("/in/a", [2, 2]);
        Assert.That((await RunAsync("sync", "--move-source-to", "/old", Url("/in"), url + "/in")).Code, Is.Zero);
        Assert.That(_store.Files, Has.Exactly(4).StartsWith("/old/"), "the earlier one stays");
        Assert.That(_store.Files.Where(path => path.StartsWith("/in/", StringComparison.Ordinal)), Is.Empty);
        Assert.That(((MemoryStore)other.Store).Files, Is.EqualTo(new[] { "/in/a", "/in/sub/b", "/one" }));
    }

    [Test]
    public async Task A_source_that_changed_meanwhile_stays_and_the_item_fails()
    {
        var path = _folder.Add("in/a", "old content");
        var published = _server.Faults.Stall("RNTO");
        var running = RunAsync("put", "--remove-source", _folder["in"], Url("/in"));
        await published.FirstFired;
        File.WriteAllText(path, "new content");
        published.Release();
        var result = await running;
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("changed since it was read"));
        Assert.That(File.ReadAllText(path), Is.EqualTo("new content"));
        Assert.That(_store.ReadFile("/in/a"), Is.EqualTo("old content"u8.ToArray()));
    }

    [Test]
    public async Task A_source_that_cannot_be_deleted_is_a_failure_that_says_so()
    {
        _store.AddFile("/in/a", "1"u8);
        _server.Faults.Reply("DELE", "550 Not yours.", times: int.MaxValue, path: "/in/a");
        var result = await RunAsync("get", "--remove-source", Url("/in/"), _folder["down"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("left at the source"));
        Assert.That(TempFolder.FilesIn(_folder["down"]), Is.EqualTo(new[] { "a" }));
        var single = await RunAsync("get", "--remove-source", Url("/in/a"), _folder["one"]);
        Assert.That(single.Code, Is.Not.Zero, single.ToString());
        Assert.That(single.Error, Does.Contain("left at the source"));
    }

    [Test]
    public async Task A_dry_run_removes_nothing()
    {
        _folder.Add("in/a", "x");
        await RunAsync("put", "--dry-run", "--remove-source", _folder["in"], Url("/in"));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "in/a" }));
    }
}
