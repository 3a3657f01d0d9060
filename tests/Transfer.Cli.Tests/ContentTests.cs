using System.Text;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The verbs that read files: cat, tail, hash and check.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ContentTests : FtpCommandFixture
{
    private static readonly DateTimeOffset Time = new(2024, 3, 5, 10, 20, 30, TimeSpan.Zero);

    [TestCase("0-3", "0123")]
    [TestCase("4-", "456789")]
    [TestCase("-3", "789")]
    [TestCase("-100", "0123456789")]
    [TestCase("8-100", "89")]
    public async Task Cat_prints_ranges(string range, string content)
    {
        _store.AddFile("/a", "0123456789"u8);
        Assert.That((await RunAsync("cat", "--range", range, Url("/a"))).Output, Is.EqualTo(content));
    }

    [Test]
    public async Task Cat_prints_several_files_and_goes_on_behind_one_that_fails()
    {
        _store.AddFile("/1", "one\n"u8);
        _store.AddFile("/2", "two\n"u8);
        Assert.That((await RunAsync("cat", Url("/2"), Url("/1"))).Output, Is.EqualTo("two\none\n"));
        Assert.That((await RunAsync("cat", Url("/*"))).Output, Is.EqualTo("one\ntwo\n"));
        var result = await RunAsync("cat", Url("/none"), Url("/1"));
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.SomeFailed, "one\n")), result.ToString());
        Assert.That((await RunAsync("cat", Url("/none"))).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [TestCase(2, "8\n9\n")]
    [TestCase(100, "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")]
    [TestCase(0, "")]
    public async Task Tail_prints_the_last_lines(int lines, string content)
    {
        _store.AddFile("/log", Encoding.UTF8.GetBytes(string.Concat(Enumerable.Range(0, 10).Select(i => $"{i}\n"))));
        Assert.That((await RunAsync("tail", "-n", $"{lines}", Url("/log"))).Output, Is.EqualTo(content));
    }

    [Test]
    public async Task Tail_reads_lines_that_are_longer_than_a_block_and_bytes()
    {
        var text = new string('a', 5000) + "\n" + new string('b', 50_000) + "\nlast";
        _store.AddFile("/log", Encoding.UTF8.GetBytes(text));
        Assert.That((await RunAsync("tail", "-n", "2", Url("/log"))).Output, Is.EqualTo(text[5001..]));
        Assert.That((await RunAsync("tail", "-c", "4", Url("/log"))).Output, Is.EqualTo("last"));
        Assert.That((await RunAsync("tail", Url("/none"))).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [Test]
    public async Task Tail_follows_a_file_that_grows_and_begins_anew_where_it_became_shorter()
    {
        _store.AddFile("/log", "one\n"u8);
        using var stop = new CancellationTokenSource();
        using var output = new MemoryStream();
        var running = new CliHarness { Sink = output }.RunAsync(stop.Token, "tail", "-f", "--interval", "0.02", Url("/log"));
        await SeenAsync("one\n");
        _store.AddFile("/log", "one\ntwo\n"u8);
        await SeenAsync("one\ntwo\n");
        _store.AddFile("/log", "new\n"u8);
        await SeenAsync("one\ntwo\nnew\n");
        await stop.CancelAsync();
        Assert.That((await running).Code, Is.EqualTo(ExitCode.Interrupted));

        Task SeenAsync(string text) => Eventually.IsAsync(() => Encoding.UTF8.GetString(output.ToArray()), text);
    }

    [TestCase("sha256", "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73")]
    [TestCase("md5", "9a0364b9e99bb480dd25e1f0284c8555")]
    public async Task Hash_prints_what_sha256sum_prints(string algorithm, string digits)
    {
        _store.AddFile("/d/a b", "content"u8);
        Assert.That((await RunAsync("hash", "--algorithm", algorithm, Url("/d/*"))).Output, Is.EqualTo($"{digits}  a b\n"));
        var json = JsonDocument.Parse((await RunAsync("hash", "--algorithm", algorithm, "--json", Url("/d/a%20b"))).Output).RootElement;
        Assert.That((json.GetProperty("path").GetString(), json.GetProperty("hash").GetString()), Is.EqualTo(("/d/a b", digits)));
    }

    [Test]
    public async Task A_hash_that_the_server_does_not_compute_is_read()
    {
        await using var plain = await FtpTestServer.StartAsync(new FtpTestServerOptions
        {
            Store = _store,
            DisabledCommands = new HashSet<string> { "HASH", "XCRC", "XMD5", "XSHA", "XSHA1", "XSHA256", "XSHA512", "MD5" },
        });
        _store.AddFile("/a", "content"u8);
        var result = await RunAsync("hash", "--json", $"ftp://demo:demo@{plain.EndPoint}/a");
        Assert.That(JsonDocument.Parse(result.Output).RootElement.GetProperty("hashedBy").GetString(), Is.EqualTo("readBack"));
        Assert.That((await RunAsync("hash", "--algorithm", "crc32", $"ftp://demo:demo@{plain.EndPoint}/a")).Code,
            Is.EqualTo(ExitCode.SomeFailed));
    }

    [Test]
    public async Task Check_lists_what_is_missing_extra_and_different_and_ends_with_1()
    {
        Sides();
        var result = await RunAsync("check", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(Lines(result), Is.EquivalentTo(new[] { "missing sub/", "missing sub/new", "extra old", "different changed" }));
        Assert.That(result.Error, Does.Contain("1 same, 2 missing, 1 extra, 1 different"));
        var back = await RunAsync("check", Url("/in"), _folder["in"]);
        Assert.That(Lines(back), Is.EquivalentTo(new[] { "extra sub/", "extra sub/new", "missing old", "different changed" }));
        Assert.That(_store.Files, Is.EqualTo(new[] { "/in/changed", "/in/old", "/in/same" }));
    }

    [Test]
    public async Task Check_lists_empty_folders_that_one_side_lacks()
    {
        Directory.CreateDirectory(_folder["here/empty/deep"]);
        Directory.CreateDirectory(_folder["here/both"]);
        _store.AddDirectory("/there/both");
        _store.AddDirectory("/there/other");
        var result = await RunAsync("check", _folder["here"], Url("/there"));
        Assert.That(Lines(result), Is.EquivalentTo(new[] { "extra other/", "missing empty/", "missing empty/deep/" }), result.ToString());
        Assert.That(result.Code, Is.EqualTo(1));
        Assert.That(result.Error, Does.Contain("0 same, 2 missing, 1 extra"));
    }

    [Test]
    public async Task Check_compares_by_hash_one_way_and_with_filters()
    {
        Sides();
        _folder.Add("in/same", [7], Time);
        var byTime = await RunAsync("check", "--one-way", "--exclude", "sub/", "--exclude", "changed", _folder["in"], Url("/in"));
        Assert.That((byTime.Code, byTime.Output), Is.EqualTo((0, "")), byTime.ToString());
        var byHash = await RunAsync("check", "--hash", "--one-way", "--exclude", "sub/", "--exclude", "changed", _folder["in"], Url("/in"));
        Assert.That((byHash.Code, byHash.Output), Is.EqualTo((ExitCode.SomeFailed, "different same\n")), byHash.ToString());
    }

    [Test]
    public async Task Check_prints_json_and_the_counts_last()
    {
        Sides();
        var result = await RunAsync("check", "--json", _folder["in"], Url("/in"));
        var objects = Lines(result).Select(line => JsonDocument.Parse(line).RootElement).ToList();
        Assert.That(objects[..^1].Select(one => one.GetProperty("outcome").GetString()),
            Is.EquivalentTo(new[] { "missing", "missing", "extra", "different" }));
        Assert.That(objects[^1].GetProperty("same").GetInt32(), Is.EqualTo(1));
    }

    [Test]
    public async Task Check_compares_two_servers_and_two_local_folders()
    {
        Sides();
        await using var other = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        var servers = await RunAsync("check", Url("/in"), $"ftp://demo:demo@{other.EndPoint}/in");
        Assert.That((servers.Code, servers.Output), Is.EqualTo((0, "")), servers.ToString());
        _folder.Add("copy/same", [1], Time);
        var local = await RunAsync("check", _folder["copy"], _folder["in"]);
        Assert.That(Lines(local), Is.EquivalentTo(new[] { "extra changed", "extra sub/", "extra sub/new" }), local.ToString());
        Assert.That((await RunAsync("check", _folder["none"], Url("/in"))).Code, Is.EqualTo(ExitCode.NotFound));
    }

    private void Sides()
    {
        _folder.Add("in/same", [1], Time);
        _folder.Add("in/changed", [1, 2], Time);
        _folder.Add("in/sub/new", [1], Time);
        _store.AddFile("/in/same", [1], Time);
        _store.AddFile("/in/changed", [1], Time);
        _store.AddFile("/in/old", [1], Time);
    }

    private static string[] Lines(CliResult result) => result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
