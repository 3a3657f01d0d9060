using System.Text.Json;
using Transfer.TestSupport.Ftp;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>The journals that the command keeps of its jobs.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class JournalTests : IAsyncDisposable
{
    private readonly TempFolder _folder = new();
    private readonly MemoryStore _store = new();
    private FtpTestServer _server = null!;

    private string[] Journals =>
        Directory.Exists(_folder["state/transfer/jobs"]) ? Directory.GetFiles(_folder["state/transfer/jobs"]) : [];

    [SetUp]
    public async Task Start() => _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task Resume_copies_nothing_twice_where_both_sides_are_local()
    {
        for (var i = 0; i < 5; i++) _folder.Add($"from/{i}", $"{i}");
        _folder.Add("to/3", "somebody else's");
        var first = await RunAsync("copy", "--overwrite", "fail", _folder["from"], _folder["to"]);
        Assert.That(first.Code, Is.EqualTo(1), first.ToString());

        Assert.That(
            Counts(await RunAsync("copy", "--overwrite", "fail", "--resume", "--json", _folder["from"], _folder["to"])),
            Is.EqualTo((0, 4, 1)));
        File.Delete(_folder["to/3"]);
        Assert.That(
            Counts(await RunAsync("copy", "--overwrite", "fail", "--resume", "--json", _folder["from"], _folder["to"])),
            Is.EqualTo((1, 4, 0)));
        Assert.That(Journals, Is.Empty);
    }

    [Test]
    public async Task One_file_leaves_no_journal([Values("put", "get", "copy")] string verb)
    {
        _store.AddFile("/f", [1, 2, 3]);
        var local = _folder.Add("f", "123");
        var result = verb switch
        {
            "put" => await RunAsync("put", local, Url("/g")),
            "get" => await RunAsync("get", Url("/f"), _folder["g"]),
            _ => await RunAsync("copy", local, _folder["g"]),
        };
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Journals, Is.Empty);
    }

    [Test]
    public async Task A_folder_that_was_taken_for_a_file_first_has_a_journal_of_its_own()
    {
        for (var i = 0; i < 3; i++) _store.AddFile($"/d/{i}", [1]);
        var result = await RunAsync("get", Url("/d"), _folder["new"]);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Directory.GetFiles(_folder["new"]), Has.Length.EqualTo(3));
        Assert.That(Journals, Is.Empty);
    }

    [Test]
    public async Task What_has_not_its_name_is_told_by_the_next_run_too()
    {
        var store = new NoReplaceStore(_store) { Refuses = (_, to) => to == "/d/a" };
        await using var server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = store });
        _folder.Add("d/a", "new");
        _store.AddFile("/d/a", [1]);
        var url = $"ftp://demo:demo@{server.EndPoint}/d";
        Assert.That((await RunAsync("put", "--resume", _folder["d"], url)).Code, Is.EqualTo(4));
        store.Refuses = (_, _) => false;

        var told = await RunAsync("put", "--resume", "--json", _folder["d"], url);
        Assert.That(told.Code, Is.Zero, told.ToString());
        var kept = JsonDocument.Parse(told.Output).RootElement.GetProperty("kept").EnumerateArray().Single();
        Assert.That((kept.GetProperty("path").GetString(), kept.GetProperty("content").GetString()), Is.EqualTo(("/d/a", "new")));
        var name = kept.GetProperty("keptAs").GetString()!;
        Assert.That(_store.Files, Does.Contain(name));
        Assert.That(told.Error, Does.Contain(name).And.Contain("/d/a"));
        Assert.That((await RunAsync("put", _folder["d"], url)).Error, Does.Contain(name), "without --resume too");
    }

    [Test]
    public async Task Put_and_sync_of_the_same_folders_are_different_jobs()
    {
        foreach (var name in (string[])["f", "g"]) _folder.Add($"d/{name}", "1");
        _store.AddFile("/d/f", [1]);
        Assert.That((await RunAsync("put", "--overwrite", "fail", _folder["d"], Url("/d"))).Code, Is.EqualTo(1),
            "its journal stays");
        var result = await RunAsync("sync", "--resume", _folder["d"], Url("/d"));
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(Journals, Has.Length.EqualTo(1));
    }

    private static (int Files, int Skipped, int Failed) Counts(CliResult result)
    {
        using var json = JsonDocument.Parse(result.Output);
        return (json.RootElement.GetProperty("files").GetInt32(), json.RootElement.GetProperty("skipped").GetInt32(),
            json.RootElement.GetProperty("failed").GetArrayLength());
    }

    private string Url(string path) => $"ftp://demo:demo@{_server.EndPoint}{path}";

    [Test]
    public async Task A_second_run_of_the_same_job_is_refused_while_the_first_one_runs([Values("put", "sync")] string verb)
    {
        _folder.Add("from/a", new string('x', 300_000));
        string[] job = [verb, "--sessions", "1", _folder["from"], Url("/d")];
        var stall = _server.Faults.StallData(100_000, "STOR");
        using var stop = new CancellationTokenSource();
        var first = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state"] } }
            .RunAsync(stop.Token, [.. job, "--grace", "0"]);
        await stall.FirstFired.WaitAsync(Eventually.Hang);

        var second = await RunAsync(job);
        Assert.That(second.Code, Is.EqualTo(1), second.ToString());
        Assert.That(second.Error,
            Does.Contain("Another run of this job is under way").And.Contain($"process {Environment.ProcessId}").And.Contain("--wait"));
        Assert.That((await RunAsync([.. job, "--wait", "0.3"])).Error, Does.Contain("did not end within 0.3 s"));
        Assert.That((await RunAsync([.. job, "--dry-run"])).Code, Is.Zero);

        await stop.CancelAsync();
        Assert.That((await first).Code, Is.EqualTo(130));
        var third = await RunAsync(job);
        Assert.That(third.Code, Is.Zero, third.ToString());
        Assert.That(Journals, Is.Empty);
    }

    private Task<CliResult> RunAsync(params string[] args) =>
        new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state"] } }.RunAsync(args);
}
