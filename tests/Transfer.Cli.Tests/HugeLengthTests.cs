using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Files whose listed lengths add up to more than 64 bits hold: sums are bounded, and no run ends in an exception.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class HugeLengthTests : IAsyncDisposable
{
    private const string Most = "9223372036854775807";

    private readonly MemoryStore _store = new();
    private readonly TempFolder _folder = new();
    private SftpTestServer _server = null!;

    [SetUp]
    public async Task Start()
    {
        foreach (var name in (string[])["a", "b", "c"]) _store.AddFile("/d/" + name, new byte[3], DateTimeOffset.UnixEpoch);
        _server = await SftpTestServer.StartAsync(new SftpTestServerOptions { Store = _store });
        _server.Faults.WrongSize("/d/?", 1L << 62);
        Directory.CreateDirectory(_folder["source"]);
        File.WriteAllText(Path.Join(_folder["source"], "kept"), "kept");
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task Du_shows_the_largest_number() =>
        Assert.That((await RunAsync("du", Url)).Output.TrimEnd(), Is.EqualTo(Most + "\t."));

    [Test]
    public async Task A_download_fails_for_each_file_and_does_not_crash()
    {
        var result = await RunAsync("get", Url, _folder["target"]);
        Assert.That(result.Code, Is.Not.EqualTo(ExitCode.Done), result.Error);
        Assert.That(result.Error, Does.Contain("3 failed"));
    }

    [Test]
    public async Task A_dry_run_shows_the_largest_number()
    {
        var result = await RunAsync("get", "--dry-run", Url, _folder["target"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.Error);
        Assert.That(result.Error, Does.Contain("3 files, 9.22 EB to send"));
    }

    [Test]
    public async Task Deletions_are_counted()
    {
        var result = await RunAsync("sync", "--delete", _folder["source"], Url);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.Error);
        Assert.That(_store.Files, Is.EqualTo(new[] { "/d/kept" }));
    }

    [Test]
    public async Task A_plan_shows_the_largest_number()
    {
        var result = await RunAsync("plan", "--parts", "1", "--into", _folder["plan"], "--json", Url, _folder["target"]);
        Assert.That(result.Code, Is.EqualTo(ExitCode.Done), result.Error);
        Assert.That(result.Output, Does.Contain($"\"bytes\":{Most}"));
    }

    private string Url => $"sftp://demo:demo@{_server.EndPoint}/d/";

    private Task<CliResult> RunAsync(string verb, params string[] args) =>
        new CliHarness().RunAsync([verb, "--ssh-config", "none", "--pin", _server.HostKeys[0].Fingerprint, .. args]);
}
