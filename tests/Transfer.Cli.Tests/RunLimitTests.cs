namespace Transfer.Cli.Tests;

/// <summary>--max-transfer and --max-duration: what is under way is finished, and the rest is left.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class RunLimitTests : FtpCommandFixture
{
    [SetUp]
    public void Fill()
    {
        for (var i = 0; i < 200; i++) _folder.Add($"in/{i:D3}", new byte[1000]);
    }

    [Test]
    public async Task A_run_begins_no_file_once_so_much_was_sent()
    {
        var result = await RunAsync("put", "--sessions", "1", "--max-transfer", "3000", _folder["in"], Url("/in"));
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("--max-transfer is reached"));
        Assert.That(_store.Files, Has.Count.InRange(3, 199));
        Assert.That((await RunAsync("put", "--max-transfer", "1G", _folder["in"], Url("/in"))).Code, Is.Zero);
    }

    [TestCase("3000", 3, ExitCode.SomeFailed)]
    [TestCase("200000", 200, ExitCode.Done)]
    public async Task A_dry_run_lists_no_more_than_the_run_would_send(string limit, int files, int code)
    {
        foreach (var verb in new[] { "put", "sync" })
        {
            var result = await RunAsync(verb, "--dry-run", "--max-transfer", limit, _folder["in"], Url("/in"));
            Assert.That(result.Code, Is.EqualTo(code), result.ToString());
            Assert.That(result.Output.Count(letter => letter == '\n'), Is.EqualTo(files));
            Assert.That(result.Error, Does.Contain($"dry run: {files} files"));
            Assert.That(result.Error.Contains("--max-transfer is reached", StringComparison.Ordinal), Is.EqualTo(code != ExitCode.Done));
        }
    }

    [Test]
    public async Task A_run_ends_when_its_time_has_passed()
    {
        var stalled = _server.Faults.Stall("STOR", skip: 5, times: int.MaxValue);
        var result = await RunAsync("put", "--sessions", "1", "--grace", "0", "--max-duration", "1s", _folder["in"], Url("/in"));
        stalled.Release();
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain("--max-duration has passed"));
    }
}
