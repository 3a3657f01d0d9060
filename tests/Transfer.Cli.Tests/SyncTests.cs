using System.Text;
using System.Text.Json;

namespace Transfer.Cli.Tests;

/// <summary>The verb sync, and the options about folders and dry runs that put, get and copy share with it.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class SyncTests : FtpCommandFixture
{
    private static readonly DateTime Time = new(2024, 3, 5, 10, 20, 30, DateTimeKind.Utc);

    [Test]
    public async Task Up_it_sends_moves_and_deletes_and_the_second_time_nothing()
    {
        Tree();
        var result = await RunAsync("sync", "--delete", _folder["site"], Url("/www"));
        AssertDone(result);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/www/css/moved.css", "/www/index.html", "/www/same" }));
        Assert.That(result.Error, Does.Contain("1 file, 3 B in ").And.Contain("1 unchanged, 1 moved, 2 deleted"));
        Assert.That(result.Output, Is.Empty);

        var again = await RunAsync("sync", "--delete", "--json", _folder["site"], Url("/www"));
        AssertDone(again);
        using var json = JsonDocument.Parse(again.Output);
        Assert.That(json.RootElement.EnumerateObject().Select(p => p.Name), Is.EqualTo(new[]
        {
            "files", "bytes", "skipped", "unchanged", "moved", "deleted", "notDeleted", "readBack", "seconds", "sessions", "retries",
            "verified", "failed",
        }));
        Assert.That(((string[])["files", "unchanged", "moved", "deleted"]).Select(name => json.RootElement.GetProperty(name).GetInt64()),
            Is.EqualTo(new[] { 0L, 3, 0, 0 }));
    }

    [Test]
    public async Task A_file_of_the_server_is_named_as_one()
    {
        _store.AddFile("/www/f", [1]);
        var result = await RunAsync("sync", "--delete", Url("/www/f"), _folder["down"]);
        Assert.That(result.Code, Is.Not.EqualTo(ExitCode.Done));
        Assert.That(result.Error, Does.Contain("/www/f is a file, and not a folder: get or copy moves a file."));
    }

    [Test]
    public async Task A_dry_run_prints_the_plan_and_changes_nothing()
    {
        Tree();
        var before = _store.Files;
        var result = await RunAsync("sync", "--delete", "--dry-run", _folder["site"], Url("/www"));
        AssertDone(result);
        Assert.That(Lines(result),
            Is.EqualTo(new[] { "delete gone/", "delete gone/x", "move main.css -> css/moved.css", "send index.html" }));
        Assert.That(result.Error, Does.Contain("dry run: 1 file, 3 B to send, 1 unchanged, 1 moved, 2 deleted"));
        Assert.That(_store.Files, Is.EqualTo(before));
        Assert.That(_server.Commands.Select(c => c.Verb), Has.None.AnyOf("STOR", "MKD", "DELE", "RMD", "RNFR", "MFMT", "RETR"));
    }

    [Test]
    public async Task A_dry_run_prints_one_object_an_item_a_line()
    {
        Tree();
        _folder.Add("site/in-the-way/a", "x");
        _store.AddFile("/www/in-the-way", "x"u8);
        var result = await RunAsync("sync", "--delete", "-n", "--json", _folder["site"], Url("/www"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed));
        Assert.That(Lines(result), Is.EqualTo(new[]
        {
            """{"action":"delete","path":"gone","type":"directory"}""",
            """{"action":"delete","path":"gone/x","type":"file"}""",
            """{"action":"move","path":"css/moved.css","from":"main.css","type":"file"}""",
            """{"action":"send","path":"in-the-way/a","type":"file","error":"exists"}""",
            """{"action":"send","path":"index.html","type":"file","bytes":3}""",
        }));
    }

    [Test]
    public async Task Names_that_the_target_has_otherwise_are_printed()
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) Assert.Ignore("Needs such names.");
        _folder.Add("site/d:/f", "1");
        _folder.Add("site/a?", "1");
        _folder.Add("site/b", "1");
        string[] put = ["put", "--map-names", "windows", _folder["site"], Url("/www")];

        var site = _folder["site"] + "/";
        Assert.That(Lines(await RunAsync([.. put, "--dry-run"])).Select(line => line.Replace(site, "", StringComparison.Ordinal)),
            Is.EqualTo(new[] { "send a? -> a%3F", "send b", "send d:/f -> d%3A/f" }));
        Assert.That(Lines(await RunAsync([.. put, "--dry-run", "--json"]))[0].Replace(site, "", StringComparison.Ordinal),
            Is.EqualTo("{\"action\":\"send\",\"path\":\"a?\",\"to\":\"a%3F\",\"type\":\"file\",\"bytes\":1}"));
        var result = await RunAsync(put);
        AssertDone(result);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/www/a%3F", "/www/b", "/www/d%3A/f" }));
        Assert.That(result.Error,
            Does.Contain("/a? is a%3F at the target.").And.Contain("/d:/f is d%3A/f at the target.").And.Not.Contain("/b is"));
        using var json = JsonDocument.Parse((await RunAsync([.. put, "--json"])).Output);
        Assert.That(
            json.RootElement.GetProperty("mapped").EnumerateArray().Select(item => item.GetProperty("to").GetString()).Order(),
            Is.EqualTo(new[] { "a%3F", "d%3A/f" }));
        Assert.That((await RunAsync([.. put, "--quiet"])).Error, Is.Empty);
    }

    [Test]
    public async Task An_empty_source_is_refused_unless_it_is_meant()
    {
        Directory.CreateDirectory(_folder["empty"]);
        _store.AddFile("/www/a", "x"u8);
        var refused = await RunAsync("sync", "--delete", _folder["empty"], Url("/www"));
        Assert.That((refused.Code, _store.Files.Count), Is.EqualTo((ExitCode.Denied, 1)), refused.ToString());
        Assert.That(refused.Error, Does.Contain("not a single file"));
        AssertDone(await RunAsync("sync", "--delete", "--delete-for-empty-source", _folder["empty"], Url("/www")));
        Assert.That(_store.Files, Is.Empty);
    }

    [TestCase("1")]
    [TestCase("39%")]
    public async Task More_than_may_be_deleted_is_not_and_the_rest_is_done(string limit)
    {
        Tree();
        var result = await RunAsync("sync", "--delete", "--max-delete", limit, _folder["site"], Url("/www"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain($"allows {limit}: nothing is deleted").And.Contain("2 not deleted"));
        Assert.That(_store.Files, Does.Contain("/www/gone/x").And.Contain("/www/index.html"));
        AssertDone(await RunAsync("sync", "--delete", "--max-delete", "2", _folder["site"], Url("/www")));
        Assert.That(_store.Files, Does.Not.Contain("/www/gone/x"));
    }

    [Test]
    public async Task A_dry_run_says_how_much_would_be_deleted()
    {
        Tree();
        var result = await RunAsync("sync", "--delete", "-n", _folder["site"], Url("/www"));
        Assert.That(result.Error, Does.Contain("to delete: 1 file (").And.Contain("and 1 folder, of 5 items at the target"));
        var refused = await RunAsync("sync", "--delete", "-n", "--max-delete", "1", _folder["site"], Url("/www"));
        Assert.That((refused.Code, Lines(refused).Any(line => line.StartsWith("delete ", StringComparison.Ordinal))),
            Is.EqualTo((ExitCode.SomeFailed, false)));
        Assert.That(refused.Error, Does.Contain("at the target: too many"));
    }

    [Test]
    public async Task A_source_that_is_not_there_is_not_found()
    {
        _store.AddFile("/www/a", "x"u8);
        Assert.That((await RunAsync("sync", "--delete", _folder["no"], Url("/www"))).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That((await RunAsync("sync", "--delete", Url("/no"), _folder["x"])).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/www/a" }));
    }

    [Test]
    public async Task Down_it_works_the_same()
    {
        _store.AddFile("/www/a", "one"u8, Time);
        _folder.Add("copy/b", "two");
        AssertDone(await RunAsync("sync", "--delete", Url("/www/"), _folder["copy"]));
        Assert.That(Directory.GetFiles(_folder["copy"]), Is.EqualTo(new[] { _folder["copy/a"] }));
        var again = await RunAsync("sync", "--compare", "hash", Url("/www/"), _folder["copy"]);
        Assert.That(again.Error, Does.Contain("0 files").And.Contain("1 unchanged").And.Not.Contain("read back"));
    }

    [Test]
    public async Task Between_servers_and_between_folders_it_works_the_same()
    {
        _store.AddFile("/a/x", "one"u8, Time);
        _store.AddFile("/b/y", "two"u8, Time);
        AssertDone(await RunAsync("sync", "--delete", Url("/a"), Url("/b")));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/a/x", "/b/x" }));

        _folder.Add("c/d/x", "one");
        _folder.Add("e/y", "two");
        AssertDone(await RunAsync("sync", "--delete", _folder["c"], "file://" + _folder["e"]));
        Assert.That((File.ReadAllText(_folder["e/d/x"]), File.Exists(_folder["e/y"])), Is.EqualTo(("one", false)));
    }

    [Test]
    public async Task Filters_are_about_what_is_in_folders()
    {
        foreach (var name in (string[])["a.txt", "b.tmp", "d/c.txt", "d/e.txt", "skip/f.txt"])
            _folder.Add("s/" + name, new string('x', name == "d/e.txt" ? 3000 : 10));
        AssertDone(await RunAsync("put", "--include", "*.txt", "--include", "*.tmp", "--exclude", "b*", "--exclude", "skip/", "--max-size",
            "2.5K", _folder["s"], Url("/t")));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/t/a.txt", "/t/d/c.txt" }));

        _store.AddFile("/u/old", "x"u8, DateTimeOffset.UtcNow.AddDays(-3));
        _store.AddFile("/u/new", "x"u8, DateTimeOffset.UtcNow.AddHours(-1));
        AssertDone(await RunAsync("get", "--newer-than", "2d", Url("/u/"), _folder["new"]));
        AssertDone(
            await RunAsync("get", "--older-than",
                DateTimeOffset.UtcNow.AddDays(-1).ToString("yyyy-MM-dd", System.Globalization.CultureInfo.InvariantCulture), Url("/u/"),
                _folder["old"]));
        Assert.That((File.Exists(_folder["new/new"]), File.Exists(_folder["new/old"])), Is.EqualTo((true, false)));
        Assert.That((File.Exists(_folder["old/new"]), File.Exists(_folder["old/old"])), Is.EqualTo((false, true)));
    }

    [Test]
    public async Task Put_get_and_copy_run_dry_too_single_files_included()
    {
        _folder.Add("s/d/a", "one");
        _store.AddFile("/r/b", "three"u8);
        var put = await RunAsync("put", "--dry-run", _folder["s"], _folder.Add("f", "12"), Url("/t/"));
        Assert.That(Lines(put), Is.EqualTo(new[] { $"send {_folder["f"]}", $"send {_folder["s"]}/d/a" }));
        Assert.That(put.Error, Does.Contain("dry run: 2 files, 5 B to send"));
        var get = await RunAsync("get", "--dry-run", Url("/r/b"), _folder["new"] + "/");
        Assert.That(Lines(get).Single(), Does.StartWith("send ftp://").And.EndsWith("/r/b"));
        var folder = await RunAsync("get", "--dry-run", Url("/r"), _folder["new"]);
        Assert.That(Lines(folder).Single(), Does.EndWith("/r/b"));
        var copy = await RunAsync("copy", "--dry-run", "--overwrite", "skip", Url("/r/b"), Url("/r/b"));
        Assert.That(Lines(copy).Single(), Does.StartWith("skip ftp://"));
        var exists = await RunAsync("put", "--dry-run", "--overwrite", "fail", _folder["f"], Url("/r/b"));
        Assert.That(exists.Code, Is.EqualTo(ExitCode.SomeFailed));
        Assert.That((await RunAsync("get", "--dry-run", Url("/no"), _folder["new"])).Code, Is.EqualTo(ExitCode.NotFound));
        Assert.That((_store.Files, Directory.Exists(_folder["new"])), Is.EqualTo((new[] { "/r/b" }, false)));
    }

    [TestCase("get", "/b", "file/", ExitCode.SomeFailed)]
    [TestCase("get", "/b", "file/d/", ExitCode.NotFound)]
    [TestCase("get", "/b", "file/b", ExitCode.NotFound)]
    [TestCase("get", "/b", "no/d/b", ExitCode.NotFound)]
    [TestCase("get", "/d/", "file/", ExitCode.SomeFailed)]
    [TestCase("get", "/d/", "file/d", ExitCode.NotFound)]
    [TestCase("get", "/d/", "no/d", ExitCode.Done)]
    [TestCase("get", "/b", "no/d/", ExitCode.Done)]
    [TestCase("put", "/b/", "file", ExitCode.SomeFailed)]
    [TestCase("put", "/b/x", "file", ExitCode.SomeFailed)]
    [TestCase("put", "/no/x", "file", ExitCode.Done)]
    [TestCase("copy", "/b", "file/", ExitCode.SomeFailed)]
    public async Task A_dry_run_ends_with_the_exit_code_of_the_run(string verb, string remote, string local, int code)
    {
        _folder.Add("file", "1");
        _store.AddFile("/b", "2"u8);
        _store.AddFile("/d/c", "3"u8);
        string[] paths = verb switch
        {
            "get" => [Url(remote), $"{_folder.Path}/{local}"],
            "put" => [$"{_folder.Path}/{local}", Url(remote)],
            _ => [_folder.Add("other", "4"), $"{_folder.Path}/{local}"],
        };
        var before = _folder.Files.Count + _store.Files.Count;
        var dry = await RunAsync([verb, "--dry-run", .. paths]);
        Assert.That((dry.Code, _folder.Files.Count + _store.Files.Count), Is.EqualTo((code, before)), dry.ToString());
        Assert.That((await RunAsync([verb, .. paths])).Code, Is.EqualTo(code));
    }

    private void Tree()
    {
        foreach (var (name, text) in new[] { ("index.html", "new"), ("css/moved.css", "style"), ("same", "same") })
            File.SetLastWriteTimeUtc(_folder.Add("site/" + name, text), Time);
        _store.AddFile("/www/index.html", "older"u8, Time);
        _store.AddFile("/www/main.css", "style"u8, Time);
        _store.AddFile("/www/same", "same"u8, Time);
        _store.AddFile("/www/gone/x", "x"u8, Time);
    }

    private static void AssertDone(CliResult result) => Assert.That(result.Code, Is.Zero, result.ToString());

    private static string[] Lines(CliResult result) =>
        [.. Encoding.UTF8.GetString(result.Bytes).Split('\n', StringSplitOptions.RemoveEmptyEntries).Order(StringComparer.Ordinal)];
}
