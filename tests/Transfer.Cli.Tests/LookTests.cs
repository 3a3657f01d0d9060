using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The verbs that show entries: ls in its orders, find, tree, du and df.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class LookTests : IAsyncDisposable
{
    private static readonly DateTimeOffset Time = new(2031, 2, 3, 4, 5, 6, TimeSpan.Zero);

    private readonly MemoryStore _store = new(capacity: 10_000);
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start()
    {
        _store.AddFile("/d/old.log", new byte[30], Time);
        _store.AddFile("/d/new.log", new byte[10], Time.AddDays(2));
        _store.AddFile("/d/mid.txt", new byte[20], Time.AddDays(1));
        _store.AddFile("/d/sub/deep/.x", new byte[1500], Time);
        _store.AddFile("/d/sub/y.log", new byte[5], Time);
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [TestCase("-t", "new.log mid.txt old.log")]
    [TestCase("-S", "old.log mid.txt new.log")]
    [TestCase("-r", "old.log new.log mid.txt")]
    public async Task Ls_sorts(string order, string names)
    {
        var lines = await LinesAsync("ls", order, "/d/*.*");
        Assert.That(lines, Is.EqualTo(names.Split(' ')));
        Assert.That(await LinesAsync("ls", order, "-R", "/d"), Has.Length.EqualTo(7));
    }

    [Test]
    public async Task Ls_of_a_folder_itself_has_one_line()
    {
        Assert.That(await LinesAsync("ls", "-d", "/d/sub"), Is.EqualTo(new[] { "sub" }));
        Assert.That((await RunAsync("ls", "-d", "/none")).Code, Is.EqualTo(ExitCode.NotFound));
    }

    [Test]
    public async Task Ls_prints_sizes_with_units_and_h_is_no_help_there()
    {
        Assert.That((await LinesAsync("ls", "-l", "-h", "/d/sub/deep")).Single(), Does.Contain(" 1.50 kB "));
        Assert.That((await RunAsync("ls", "-?", "/d")).Output, Does.Contain("Usage: transfer ls"));
    }

    [Test]
    public async Task Ls_prints_local_times_unless_utc()
    {
        var host = new CliHarness { LocalTimeZone = TimeZoneInfo.CreateCustomTimeZone("x", TimeSpan.FromHours(5), "x", "x") };
        var url = $"ftp://demo:demo@{_server.EndPoint}/d/old.log";
        Assert.That((await host.RunAsync("ls", "-l", url)).Output, Does.Contain("2031-02-03 09:05:06"));
        Assert.That((await host.RunAsync("ls", "-l", "--utc", url)).Output, Does.Contain("2031-02-03 04:05:06"));
    }

    [TestCase("mid.txt new.log old.log sub sub/deep sub/deep/.x sub/y.log")]
    [TestCase("new.log old.log sub/y.log", "--name", "*.log")]
    [TestCase("mid.txt sub/deep/.x", "--name", "*.txt", "--name", "*x", "--type", "f")]
    [TestCase("sub sub/deep", "--type", "directory")]
    [TestCase("old.log sub/deep/.x", "--min-size", "25")]
    [TestCase("mid.txt new.log", "--newer-than", "2031-02-04T00:00:00Z", "--type", "f")]
    [TestCase("mid.txt new.log old.log sub", "--max-depth", "1")]
    [TestCase("mid.txt new.log old.log sub sub/deep sub/y.log", "--max-depth", "2")]
    public async Task Find_shows_what_meets_all_conditions(string names, params string[] conditions)
    {
        Assert.That((await LinesAsync(["find", .. conditions, "/d"])).Order(StringComparer.Ordinal), Is.EqualTo(names.Split(' ')));
        var json = await LinesAsync(["find", "--json", .. conditions, "/d"]);
        var paths = json.Select(line => JsonDocument.Parse(line).RootElement.GetProperty("path").GetString()![3..]);
        Assert.That(paths.Order(StringComparer.Ordinal),
            Is.EqualTo(names.Split(' ')));
    }

    [Test]
    public async Task Find_ends_names_with_a_nul_where_asked()
    {
        var result = await RunAsync("find", "-0", "--name", "y*", "/d");
        Assert.That((result.Code, result.Output), Is.EqualTo((0, "sub/y.log\0")));
    }

    [Test]
    public async Task A_depth_lists_no_folder_below()
    {
        await LinesAsync("find", "--max-depth", "1", "/d");
        Assert.That(_server.Commands.Count(command => command.Verb is "MLSD" or "LIST"), Is.EqualTo(1));
    }

    [Test]
    public async Task Tree_draws_folders_and_counts()
    {
        var result = await RunAsync("tree", "/d");
        Assert.That(result.Output.ReplaceLineEndings("\n"), Is.EqualTo($"""
            ftp://demo@{_server.EndPoint}/d
            ├── mid.txt
            ├── new.log
            ├── old.log
            └── sub
                ├── deep
                │   └── .x
                └── y.log

            2 folders, 5 files

            """.ReplaceLineEndings("\n")), result.ToString());
        Assert.That(await LinesAsync("tree", "-d", "/d"), Has.Length.EqualTo(4));
    }

    [Test]
    public async Task Du_adds_up_each_folder()
    {
        Assert.That(await LinesAsync("du", "/d"), Is.EqualTo(new[] { "1505\tsub", "1500\tsub/deep", "1565\t." }));
        Assert.That(await LinesAsync("du", "-s", "-h", "/d"), Is.EqualTo(new[] { "1.56 kB\t." }));
        Assert.That(await LinesAsync("du", "--max-depth", "1", "--json", "/d"),
            Is.EqualTo(new[] { """{"path":"sub","bytes":1505,"files":2}""", """{"path":".","bytes":1565,"files":5}""" }));
    }

    [Test]
    public async Task Df_shows_what_the_server_reports()
    {
        Assert.That(await LinesAsync("df", "/d"), Is.EqualTo(new[] { $"{10_000 - 1565} available" }));
        await using var sftp = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
        var result = await new CliHarness().RunAsync("df", "--json", "--ssh-config", "none", "--pin", sftp.HostKeys[0].Fingerprint,
            $"sftp://demo:demo@{sftp.EndPoint}/d");
        var space = JsonDocument.Parse(result.Output).RootElement;
        Assert.That(space.GetProperty("total").GetInt64(), Is.GreaterThanOrEqualTo(space.GetProperty("available").GetInt64()));
    }

    [Test]
    public async Task Ls_of_a_folder_that_a_listing_shows_empty_and_that_is_absent_says_so()
    {
        // As stores of objects do, for which each name may be a prefix.
        _server.Faults.SendData("MLSD", Array.Empty<byte>(), path: "/none");
        var result = await RunAsync("ls", "/none");
        Assert.That(result.Code, Is.EqualTo(ExitCode.NotFound));
        await _store.CreateDirectoryAsync("/empty");
        Assert.That((await RunAsync("ls", "/empty")).Code, Is.EqualTo(ExitCode.Done));
    }

    [Test]
    public async Task A_pattern_that_the_server_refuses_to_look_at_matches_nothing()
    {
        await _store.CreateDirectoryAsync("/empty");
        foreach (var verb in new[] { "MLST", "SIZE", "MDTM", "CWD" }) _server.Faults.Reply(verb, "553 no", times: 99, path: "/empty/?");
        _server.Faults.Reply("MLSD", "553 no", skip: 1, times: 99, path: "/empty");
        _server.Faults.Reply("LIST", "553 no", times: 99);
        _server.Faults.Reply("NLST", "553 no", times: 99);
        var result = await RunAsync("ls", "/empty/*");
        Assert.That(result.Code, Is.EqualTo(ExitCode.NotFound), result.Error);
        Assert.That(result.Error, Does.Contain("Nothing matches"));
    }

    private async Task<string[]> LinesAsync(params string[] args)
    {
        var result = await RunAsync(args);
        Assert.That(result.Code, Is.Zero, result.ToString());
        return result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
    }

    private Task<CliResult> RunAsync(params string[] args) =>
        new CliHarness().RunAsync([.. args[..^1], $"ftp://demo:demo@{_server.EndPoint}{args[^1]}"]);
}
