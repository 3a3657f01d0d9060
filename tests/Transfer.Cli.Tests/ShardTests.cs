namespace Transfer.Cli.Tests;

/// <summary>Parts of a job: --shard, --shard-by, TRANSFER_SHARD, and the parts that schedulers name.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ShardTests : FtpCommandFixture
{
    private readonly CliHarness _harness = new();

    [SetUp]
    public void Fill()
    {
        for (var i = 0; i < 20; i++) _folder.Add($"site/d{i % 3}/{i}", "x");
        _store.AddFile("/www/old", "old"u8);
    }

    [Test]
    public async Task Parts_and_then_the_last_phase_make_the_folder_like_the_source([Values("file", "folder")] string unit)
    {
        foreach (var part in (string[])["2/3", "0/3", "1/3"]) await SyncAsync("--shard", part, "--shard-by", unit);
        Assert.That(_store.Files, Has.Count.EqualTo(21), "no part deletes");
        await SyncAsync("--shard", "final");
        Assert.That(_store.Files, Has.Count.EqualTo(20).And.None.EqualTo("/www/old"));
    }

    [Test]
    public async Task The_last_phase_deletes_nothing_while_a_part_is_missing()
    {
        await SyncAsync("--shard", "0/2");
        var last = await TryAsync("--shard", "final");
        Assert.That(last.Code, Is.EqualTo(ExitCode.SomeFailed), last.ToString());
        Assert.That(_store.Files, Does.Contain("/www/old"));
    }

    [Test]
    public async Task Schedulers_name_the_part()
    {
        _harness.Environment["TRANSFER_SHARD"] = "0/3";
        await SyncAsync();
        _harness.Environment["JOB_COMPLETION_INDEX"] = "1";
        await SyncAsync("--shard", "auto/3");
        foreach (var (name, value) in (ReadOnlySpan<(string, string)>)[("ID", "12"), ("MIN", "10"), ("COUNT", "3")])
            _harness.Environment["SLURM_ARRAY_TASK_" + name] = value;
        await SyncAsync("--shard", "auto");
        Assert.That(_store.Files, Has.Count.EqualTo(21));
    }

    [TestCase("--shard", "3/3")]
    [TestCase("--shard", "auto")]
    [TestCase("--shard", "auto/3")]
    [TestCase("--shard", "")]
    [TestCase("--shard", "0/2", "--shard-by", "size")]
    [TestCase("--shard-by", "file")]
    public async Task A_part_that_does_not_exist_is_refused(params string[] options)
    {
        var result = await TryAsync(options);
        Assert.That((result.Code, _store.Files.Count), Is.EqualTo((ExitCode.Usage, 1)), result.ToString());
        Assert.That(result.Error, Does.Contain("--shard"));
    }

    private async Task SyncAsync(params string[] options)
    {
        var result = await TryAsync(options);
        Assert.That(result.Code, Is.Zero, result.ToString());
    }

    private Task<CliResult> TryAsync(params string[] options) =>
        _harness.RunAsync(["sync", "--delete", .. options, _folder["site"], Url("/www")]);
}
