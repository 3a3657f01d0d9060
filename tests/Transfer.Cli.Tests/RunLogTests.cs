using System.Text.Json;
using Transfer.Cli.Output;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The log of a run, the stream of items, and the levels of detail.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class RunLogTests : IAsyncDisposable
{
    private const string Secret = "s3cr3t-pa55";

    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private FtpTestServer _server = null!;

    private string Log => _folder["run.log"];

    [SetUp]
    public async Task Start() => _server = await FtpTestServer.StartAsync(
        new FtpTestServerOptions { Store = _store, Users = new Dictionary<string, string>(StringComparer.Ordinal) { ["demo"] = Secret } });

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task A_log_has_a_line_an_item_and_one_for_each_end_of_the_run()
    {
        _folder.Add("in/new", "12345");
        _folder.Add("in/old", "x");
        _store.AddFile("/in/old", "there"u8);
        _store.AddDirectory("/in/way");
        _folder.Add("in/way", "y");
        var result = await RunAsync("put", "--log", Log, "--overwrite", "skip", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        var lines = Lines();
        Assert.That(lines.Select(fields => fields.Length), Has.All.EqualTo(5));
        Assert.That(lines.Select(fields => fields[0]), Has.All.Match(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$"));
        Assert.That(lines[0][4], Does.Contain("put").And.Contain($"ftp://demo@{_server.EndPoint}/in").And.Contain("process"));
        Assert.That(lines.Select(fields => fields[1]), Is.EquivalentTo(new[] { "begin", "sent", "skipped", "failed", "end" }));
        Assert.That(Fields("sent")[2..4], Is.EqualTo(new[] { "5", _folder["in/new"] }));
        Assert.That(Fields("skipped")[2..], Is.EqualTo(new[] { "-", _folder["in/old"], "the target exists" }));
        Assert.That(Fields("failed")[2..4], Is.EqualTo(new[] { "-", _folder["in/way"] }));
        Assert.That(Fields("failed")[4], Does.StartWith("exists: "));
        Assert.That(lines[^1][1..], Is.EqualTo(new[] { "end", "-", "-", "exit code 1" }));
    }

    [Test]
    public async Task Runs_append_to_a_log_and_each_verb_has_one()
    {
        _store.AddFile("/a", "abc"u8);
        Assert.That((await RunAsync("get", "--log", Log, Url("/a"), _folder["a"])).Code, Is.Zero);
        Assert.That((await RunAsync("chmod", "--log", Log, "600", Url("/a"))).Code, Is.Zero);
        _store.AddFile("/d/x", "abc"u8);
        Assert.That((await RunAsync("rm", "-r", "--log", Log, Url("/d"))).Code, Is.Zero);
        Assert.That((await RunAsync("cat", "--log", Log, Url("/none"))).Code, Is.EqualTo(ExitCode.NotFound));
        var server = $"ftp://demo@{_server.EndPoint}";
        Assert.That(Lines().Where(fields => fields[1] is not ("begin" or "end")).Select(fields => (fields[1], fields[3])),
            Is.EqualTo(new[]
            {
                ("sent", server + "/a"), ("changed", server + "/a"), ("deleted", server + "/d/x"), ("deleted", server + "/d"),
                ("error", "-"),
            }));
        Assert.That(Lines().Count(fields => fields[1] == "end"), Is.EqualTo(4));
    }

    [TestCase("--user", "demo:" + Secret)]
    [TestCase("--user=demo:" + Secret)]
    [TestCase("--user:demo:" + Secret)]
    [TestCase("--password-file", Secret)]
    [TestCase("--password-file=" + Secret)]
    [TestCase("--password-env", Secret)]
    [TestCase("--password-command", "echo " + Secret)]
    [TestCase("--account-file", Secret, "--password-env", "HOME")]
    [TestCase("--from-user", "demo:" + Secret)]
    [TestCase("--to-password-file=" + Secret)]
    public async Task A_log_repeats_no_value_that_may_be_a_password(params string[] option)
    {
        var verb = option[0].StartsWith("--from", StringComparison.Ordinal) || option[0].StartsWith("--to", StringComparison.Ordinal)
            ? "copy" : "get";
        string[] urls = verb == "get"
            ? [$"ftp://{_server.EndPoint}/none", _folder["x"]] : [$"ftp://{_server.EndPoint}/none", $"ftp://{_server.EndPoint}/x"];
        Assert.That((await RunAsync([verb, "--log", Log, .. option, .. urls])).Code, Is.Not.Zero);
        Assert.That(Lines()[0][4], Does.Contain(option[0].Split('=', ':')[0]).And.Contain(urls[0]));
    }

    [Test]
    public async Task A_log_has_no_values_of_the_variables_of_a_script()
    {
        var script = _folder.Add("script", "echo done");
        var run = await RunAsync("run", script, "--log", Log, "pw=" + Secret);
        Assert.That(run.Code, Is.Zero, run.ToString());
        Assert.That(Lines()[0][4], Does.Contain("pw=(hidden)").And.Contain(script).And.Not.Contain(Secret));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task A_name_with_a_line_end_makes_one_line_and_is_exact_as_json()
    {
        const string Name = "a\n2030\tsent\u001b[2K";
        _folder.Add("in/" + Name, "x");
        _folder.Add("in/plain", "x");
        var text = await RunAsync("put", "-v", "--log", Log, _folder["in"], Url("/in"));
        Assert.That(text.Error.Split('\n'), Has.None.StartsWith("2030"));
        Assert.That(Lines().Select(fields => fields.Length), Has.All.EqualTo(5));
        File.Delete(Log);
        await RunAsync("put", "--log", Log, "--log-format", "jsonl", _folder["in"], Url("/in"));
        using var failed = Objects(File.ReadAllText(Log)).Single(one => Action(one) == "failed");
        Assert.That(failed.RootElement.GetProperty("path").GetString(), Does.EndWith(Name));
        Assert.That(failed.RootElement.GetProperty("error").GetString(), Is.Not.Empty);
    }

    [Test]
    public async Task Json_items_are_a_stream_and_the_summary_is_last()
    {
        _folder.Add("in/new", "12345");
        _folder.Add("in/old", "x");
        _store.AddFile("/in/old", "there"u8);
        var result = await RunAsync("put", "--json=items", "--overwrite", "skip", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.Zero, result.ToString());
        var objects = Objects(result.Output);
        Assert.That(objects.Select(Action), Is.EquivalentTo(new[] { "sent", "skipped", "summary" }));
        Assert.That(objects.Single(one => Action(one) == "skipped").RootElement.GetProperty("reason").GetString(), Is.EqualTo("exists"));
        Assert.That(objects.Single(one => Action(one) == "sent").RootElement.GetProperty("bytes").GetInt64(), Is.EqualTo(5));
        Assert.That(objects[^1].RootElement.GetProperty("files").GetInt32(), Is.EqualTo(1));
    }

    [Test]
    public async Task Json_items_of_sync_name_what_was_deleted_and_not_what_both_sides_had()
    {
        var time = new DateTime(2024, 3, 5, 10, 20, 30, DateTimeKind.Utc);
        _folder.Add("in/same", [1], time);
        _store.AddFile("/in/same", [1], time);
        _store.AddFile("/in/gone", [1]);
        var result = await RunAsync("sync", "--delete", "--json=items", _folder["in"], Url("/in"));
        Assert.That(Objects(result.Output).Select(Action), Is.EqualTo(new[] { "deleted", "summary" }), result.ToString());
    }

    [TestCase("newer", "notNewer")]
    [TestCase("skip", "exists")]
    public async Task A_single_file_that_is_left_out_has_its_reason_too(string overwrite, string reason)
    {
        _store.AddFile("/a", "x"u8, new DateTime(2050, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        var result = await RunAsync("put", "--json=items", "--overwrite", overwrite, _folder.Add("a", "x"), Url("/a"));
        Assert.That(Objects(result.Output)[0].RootElement.GetProperty("reason").GetString(), Is.EqualTo(reason), result.ToString());
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task Links_that_are_left_out_have_their_reason()
    {
        _folder.Add("in/a", "x");
        File.CreateSymbolicLink(_folder["in/link"], "a");
        File.CreateSymbolicLink(_folder["in/broken"], "none");
        var skipped = await RunAsync("put", "--json=items", _folder["in"], Url("/in"));
        Assert.That(Objects(skipped.Output).Where(one => Action(one) == "skipped")
            .Select(one => one.RootElement.GetProperty("reason").GetString()), Is.EqualTo(new[] { "link", "link" }), skipped.ToString());
        var followed = await RunAsync("put", "--json=items", "--links", "follow", _folder["in"], Url("/in"));
        Assert.That(Objects(followed.Output).Where(one => Action(one) == "skipped")
            .Select(one => one.RootElement.GetProperty("reason").GetString()), Is.EqualTo(new[] { "linkTarget" }), followed.ToString());
    }

    [TestCase("put", "--frobnicate", "a", "ftp://h.invalid/")]
    [TestCase("put", "--limit", "fast", "a", "ftp://h.invalid/")]
    public async Task Json_items_end_with_a_summary_for_a_refused_call_too(params string[] args)
    {
        var result = await RunAsync([.. args, "--json=items"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Usage));
        var summary = Objects(result.Output).Single().RootElement;
        Assert.That(summary.GetProperty("exitCode").GetInt32(), Is.EqualTo(ExitCode.Usage));
        Assert.That(summary.GetProperty("failed")[0].GetProperty("error").GetString(), Is.EqualTo("usage"));
    }

    [Test]
    public async Task A_failure_in_the_stream_has_its_kind_and_message()
    {
        var result = await RunAsync("get", "--json=items", Url("/none"), _folder["x"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.NotFound), result.ToString());
        var failed = Objects(result.Output).Single(one => Action(one) == "failed").RootElement;
        Assert.That(failed.GetProperty("error").GetString(), Is.EqualTo("notFound"));
        Assert.That(failed.GetProperty("message").GetString(), Is.Not.Empty);
    }

    [Test]
    [Platform("Linux")]
    public async Task A_full_disk_ends_no_job_and_is_reported_once()
    {
        for (var i = 0; i < 50; i++) _folder.Add($"in/{i}", "x");
        var result = await RunAsync("put", "--log", "/dev/full", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(_store.Files, Has.Count.EqualTo(50));
        Assert.That(result.Error.Split('\n').Count(line => line.Contains("goes on without", StringComparison.Ordinal)), Is.EqualTo(1));
        Assert.That(result.Error, Does.Contain("lines of the log could not be written"));
    }

    [Test]
    public async Task Lines_of_runs_that_share_a_log_never_mix()
    {
        var files = Enumerable.Range(0, 4).Select(_ => new LogFile(Log, Assert.Fail, _ => string.Empty, TimeProvider.System)).ToList();
        await Task.WhenAll(files.Select((file, run) => Task.Run(() =>
        {
            for (var i = 0; i < 200; i++) file.Add($"{run} {i} {new string('x', 100)}\n");
        })));
        foreach (var file in files) await file.DisposeAsync();
        var lines = File.ReadAllLines(Log);
        Assert.That(lines, Has.Length.EqualTo(800).And.All.Length.GreaterThan(100).And.All.EndWith(new string('x', 100)));
        for (var run = 0; run < 4; run++)
        {
            var prefix = $"{run} ";
            Assert.That(lines.Where(line => line.StartsWith(prefix, StringComparison.Ordinal)).Select(line => line.Split(' ')[1]),
                Is.EqualTo(Enumerable.Range(0, 200).Select(i => $"{i}")));
        }
    }

    [Test]
    public async Task Detail_goes_from_items_over_the_wire_to_everything()
    {
        var file = _folder.Add("a", "x");
        var items = await RunAsync("put", "-v", file, Url("/a"));
        Assert.That(items.Error, Does.Contain($"sent {file} (1 B)").And.Not.Contain("STOR"));
        var wire = await RunAsync("put", "-vv", file, Url("/a"));
        Assert.That(wire.Error, Does.Contain("> USER demo").And.Contain("> STOR ").And.Contain("< 226 ").And.Not.Contain("buffer was"));
        var all = await RunAsync("put", "-vvv", file, Url("/a"));
        Assert.That(all.Error, Does.Contain("buffer was"));
    }

    [Test]
    public async Task The_messages_of_ssh_and_sftp_are_shown_by_name()
    {
        await using var server = await SftpTestServer.StartAsync(new SftpTestServerOptions
        {
            Store = _store,
            Users = new Dictionary<string, string>(StringComparer.Ordinal) { ["demo"] = Secret },
        });
        var result = await RunAsync("put", "-vv", "--ssh-config", "none", "--pin", server.HostKeys[0].Fingerprint, _folder.Add("a", "x"),
            $"sftp://demo:{Secret}@{server.EndPoint}/a");
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(result.Error, Does.Contain("> SSH_MSG_KEXINIT").And.Contain("< SSH_MSG_USERAUTH_SUCCESS").And.Contain("> SSH_FXP_OPEN ")
            .And.Contain("< SSH_FXP_HANDLE ").And.Contain("< SSH_FXP_STATUS "));
    }

    private static string? Action(JsonDocument one) => one.RootElement.GetProperty("action").GetString();

    private static List<JsonDocument> Objects(string text) =>
        [.. text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonDocument.Parse(line))];

    private string[][] Lines() => [.. File.ReadAllLines(Log).Select(line => line.Split('\t'))];

    private string[] Fields(string action) => Lines().Single(fields => fields[1] == action);

    private string Url(string path) => $"ftp://demo:{Secret}@{_server.EndPoint}{path}";

    private async Task<CliResult> RunAsync(params string[] args)
    {
        var result = await new CliHarness().RunAsync(args).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.That(result.Output + result.Error, Does.Not.Contain(Secret));
        if (File.Exists(Log)) Assert.That(File.ReadAllText(Log), Does.Not.Contain(Secret));
        return result;
    }
}
