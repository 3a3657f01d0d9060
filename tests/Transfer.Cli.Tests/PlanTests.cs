namespace Transfer.Cli.Tests;

/// <summary>plan, apply and report, and shares of limits.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class PlanTests : FtpCommandFixture
{
    [SetUp]
    public void Fill()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"site/d{i % 3}/{i}", "x");
        Directory.CreateDirectory(_folder["site/empty"]);
        _store.AddFile("/www/old", "old"u8);
    }

    private string Plan => _folder["plan"];

    [Test]
    public async Task Parts_and_then_the_last_phase_make_the_folder_like_the_source()
    {
        var plan = await DoneAsync("plan", "--delete", "--parts", "3", "--into", Plan, "--json", _folder["site"], Url("/www"));
        Assert.That(plan.Output, Does.Contain("\"files\":20").And.Contain("\"deletions\":1"));
        Assert.That(Directory.GetFiles(Plan).Select(File.ReadAllText), Has.None.Contains("demo:demo"));
        foreach (var part in (int[])[2, 0, 1]) await ApplyAsync($"part-000{part}");
        Assert.That(_store.Files, Has.Count.EqualTo(21), "no part deletes");
        var half = await RunAsync("report", Plan);
        Assert.That((half.Code, half.Output), Is.EqualTo((ExitCode.SomeFailed, half.Output)));
        Assert.That(half.Output, Does.Contain("3 of 3 parts done, last phase open").And.Contain("20 files"));
        await ApplyAsync("final");
        Assert.That(_store.Files, Has.Count.EqualTo(20).And.None.EqualTo("/www/old"));
        var report = await DoneAsync("report", "--json", Plan);
        Assert.That(report.Output, Does.Contain("\"done\":true").And.Contain("\"deleted\":1").And.Contain("\"open\":[]"));
    }

    [Test]
    public async Task A_second_run_confirms_and_sends_nothing()
    {
        await DoneAsync("plan", "--parts", "1", "--into", Plan, _folder["site"], Url("/www"));
        await ApplyAsync("part-0000");
        var again = await ApplyAsync("part-0000", "--json");
        Assert.That(again.Output, Does.Contain("\"files\":0").And.Contain("\"unchanged\":20"));
    }

    [Test]
    public async Task The_last_phase_waits_for_all_parts()
    {
        await DoneAsync("plan", "--delete", "--parts", "2", "--into", Plan, _folder["site"], Url("/www"));
        await ApplyAsync("part-0000");
        var early = await RunAsync("apply", Path.Join(Plan, "final.jsonl"), _folder["site"], Url("/www"));
        Assert.That((early.Code, _store.Files.Contains("/www/old")), Is.EqualTo((ExitCode.SomeFailed, true)), early.ToString());
    }

    [Test]
    public async Task The_plan_names_the_server_and_the_options_the_password()
    {
        await DoneAsync("plan", "--parts", "1", "--into", Plan, _folder["site"], Url("/www"));
        await DoneAsync("apply", Path.Join(Plan, "part-0000.jsonl"), "--password-file", _folder.AddPrivate("password", "demo"),
            "--sessions-total", "2", "--limit-total", "08:00,100M 18:00,off");
        Assert.That(_store.Files, Has.Count.EqualTo(21));
    }

    [Test]
    public async Task Local_folders_need_no_names_again()
    {
        await DoneAsync("plan", "--parts", "1", "--into", Plan, _folder["site"], _folder["copy"]);
        await DoneAsync("apply", Path.Join(Plan, "part-0000.jsonl"));
        await DoneAsync("apply", Path.Join(Plan, "final.jsonl"));
        Assert.That(TempFolder.FilesIn(_folder["copy"]), Has.Length.EqualTo(20));
        Assert.That(Directory.Exists(_folder["copy/empty"]));
    }

    [Test]
    public async Task A_torn_manifest_has_the_exit_code_of_integrity()
    {
        await DoneAsync("plan", "--parts", "1", "--into", Plan, _folder["site"], _folder["copy"]);
        var manifest = Path.Join(Plan, "part-0000.jsonl");
        File.WriteAllText(manifest, File.ReadAllText(manifest)[..^20]);
        var torn = await RunAsync("apply", manifest);
        Assert.That((torn.Code, Directory.Exists(_folder["copy"])), Is.EqualTo((ExitCode.Integrity, false)), torn.ToString());
    }

    [TestCase("4", 1)]
    [TestCase("7", 2)]
    [TestCase("1", 1)]
    public async Task A_part_has_its_share_of_all_sessions(string total, int share)
    {
        await DoneAsync("sync", "--shard", "2/4", "--sessions-total", total, _folder["site"], Url("/www"));
        Assert.That(_server.PeakConnections, Is.LessThanOrEqualTo(share));
    }

    [TestCase("sync", "--sessions-total", "4")]
    [TestCase("sync", "--limit-total", "4M")]
    [TestCase("sync", "--shard", "0/2", "--sessions-total", "0")]
    [TestCase("sync", "--shard", "0/2", "--sessions-total", "4", "--sessions", "2")]
    [TestCase("sync", "--shard", "0/2", "--limit-total", "1M", "--limit", "1M")]
    [TestCase("plan", "--parts", "2")]
    [TestCase("plan", "--into", "x")]
    [TestCase("plan", "--into", "x", "--parts", "0")]
    [TestCase("plan", "--into", "x", "--parts", "1001")]
    [TestCase("plan", "--into", "x", "--parts", "1", "--max-delete", "3")]
    [TestCase("plan", "--into", "x", "--parts", "1", "--shard", "0/2")]
    public async Task What_says_nothing_is_refused(params string[] args)
    {
        var result = await RunAsync([.. args, _folder["site"], Url("/www")]);
        Assert.That((result.Code, _store.Files.Count), Is.EqualTo((ExitCode.Usage, 1)), result.ToString());
    }

    private Task<CliResult> ApplyAsync(string name, params string[] options) =>
        DoneAsync(["apply", .. options, Path.Join(Plan, name + ".jsonl"), _folder["site"], Url("/www")]);

    private static async Task<CliResult> DoneAsync(params string[] args)
    {
        var result = await RunAsync(args);
        Assert.That(result.Code, Is.Zero, result.ToString());
        return result;
    }
}
