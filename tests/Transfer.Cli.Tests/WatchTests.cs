using System.Text;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Folders that are followed: <c>transfer watch</c> and <c>sync --watch</c>.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class WatchTests : FtpCommandFixture
{
    private readonly CancellationTokenSource _stop = new();

    [TearDown]
    public void Clean() => _stop.Dispose();

    [Test]
    public async Task Files_are_sent_as_they_come_and_an_interruption_ends_with_0()
    {
        _folder.Add("out/a.txt", "one");
        _folder.Add("out/b.part", "unfinished");
        var run = WatchAsync("watch", "--ignore", "*.part", "--move-source-to", "sent", _folder["out"], Url("/in"));
        await Eventually.TrueAsync(() => File.Exists(_folder["out/sent/a.txt"]));
        _folder.Add("out/c.txt", "two");
        await Eventually.TrueAsync(() => File.Exists(_folder["out/sent/c.txt"]));
        var result = await StopAsync(run);
        Assert.That((result.Code, _store.Files), Is.EqualTo((0, new[] { "/in/a.txt", "/in/c.txt" })), result.ToString());
        Assert.That(result.Error, Does.Contain("2 files"));
    }

    [Test]
    public async Task A_server_that_goes_away_and_comes_back_is_used_again()
    {
        _folder.Add("out/a.txt", "one");
        var run = WatchAsync("watch", "--retries", "0", _folder["out"], Url("/in"));
        await Eventually.TrueAsync(() => _store.Exists("/in/a.txt"));
        var port = _server.EndPoint.Port;
        await _server.DisposeAsync();
        _folder.Add("out/b.txt", "two");
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store, Port = port });
        await Eventually.TrueAsync(() => _store.Exists("/in/b.txt"));
        Assert.That((await StopAsync(run)).Code, Is.Zero);
    }

    [Test]
    public async Task Sync_that_watches_deletes_too()
    {
        _folder.Add("site/a.txt", "one");
        _store.AddFile("/www/old.txt", "x"u8);
        var run = WatchAsync("sync", "--watch", "--delete", _folder["site"], Url("/www"));
        await Eventually.TrueAsync(() => _store.Exists("/www/a.txt"));
        await Eventually.TrueAsync(() => !_store.Exists("/www/old.txt"));
        _folder.Add("site/b.txt", "two");
        await Eventually.TrueAsync(() => _store.Exists("/www/b.txt"));
        File.Delete(_folder["site/a.txt"]);
        await Eventually.TrueAsync(() => !_store.Exists("/www/a.txt"));
        Assert.That((await StopAsync(run)).Code, Is.Zero);
    }

    [Test]
    public async Task A_folder_at_a_server_and_one_here_are_followed_by_looks()
    {
        _store.AddFile("/out/a.txt", Encoding.UTF8.GetBytes("one"));
        var run = WatchAsync("watch", "--remove-source", Url("/out"), _folder["in"]);
        await Eventually.TrueAsync(() => !_store.Exists("/out/a.txt"));
        _store.AddFile("/out/b.txt", Encoding.UTF8.GetBytes("two"));
        await Eventually.TrueAsync(() => !_store.Exists("/out/b.txt"));
        Assert.That((await StopAsync(run)).Code, Is.Zero);
        Assert.That(File.ReadAllText(_folder["in/b.txt"]), Is.EqualTo("two"));
    }

    [Test]
    public async Task An_interruption_after_files_failed_ends_with_the_code_of_failures()
    {
        _store.AddFile("/out/a.txt", "one"u8);
        _server.Faults.Reply("DELE", "550 Not now.", times: int.MaxValue);
        var run = WatchAsync("watch", "--remove-source", Url("/out"), _folder["in"]);
        await Eventually.TrueAsync(() => _server.Commands.Count(command => command.Verb == "DELE") > 2);
        var result = await StopAsync(run);
        Assert.That((result.Code, File.Exists(_folder["in/a.txt"])), Is.EqualTo((ExitCode.SomeFailed, true)), result.ToString());
        Assert.That(result.Error, Does.Contain("is left at the source").And.Contain("1 failed"));
    }

    [Test]
    public async Task A_password_that_is_wrong_ends_at_once()
    {
        _folder.Add("out/a.txt", "one");
        var result = await WatchAsync("watch", _folder["out"], $"ftp://demo:wrong@{_server.EndPoint}/in");
        Assert.That(result.Code, Is.EqualTo(ExitCode.Denied), result.ToString());
    }

    // A settle time of nothing, and looks that follow soon: the tests wait for files, never for times.
    private Task<CliResult> WatchAsync(params string[] args)
    {
        var harness = new CliHarness { Environment = { ["XDG_STATE_HOME"] = _folder["state"] } };
        return harness.RunAsync(_stop.Token, [args[0], "--settle", "0", "--interval", "0.1", .. args[1..]]);
    }

    private async Task<CliResult> StopAsync(Task<CliResult> run)
    {
        await _stop.CancelAsync();
        return await run;
    }
}
