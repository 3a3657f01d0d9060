using System.Text;
using System.Text.Json;
using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Every verb that lists ends with 1 where the listing lacks entries, and says why.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class PartialListingTests : IAsyncDisposable
{
    private const string Reason = "1 line was not understood";

    private readonly MemoryStore _store = new();
    private readonly TempFolder _folder = new();
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start()
    {
        _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });
        _store.AddFile("/d/a", "xyz"u8, new DateTimeOffset(2024, 1, 2, 3, 4, 5, TimeSpan.Zero));
        _store.AddFile("/d/b", "xyz"u8);
        _server.Faults.SendData("MLSD", Encoding.UTF8.GetBytes("type=file;size=3;modify=20240102030405; a\r\ntype=file;size 3; b\r\n"),
            times: 99);
    }

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task Ls_prints_what_is_told_and_then_why_there_may_be_more()
    {
        var result = await RunAsync("ls", Url("/d/"));
        Assert.That((result.Code, result.Output), Is.EqualTo((ExitCode.SomeFailed, "a\n")));
        Assert.That(result.Error, Does.Contain(Reason));
    }

    [TestCase("/d/")]
    [TestCase("/d/?")]
    public async Task Ls_with_json_has_the_reason_in_its_last_object(string path)
    {
        var result = await RunAsync("ls", "--json", Url(path));
        var lines = result.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.That((result.Code, lines.Length), Is.EqualTo((ExitCode.SomeFailed, 2)));
        AssertFailed(lines[1]);
    }

    [TestCase("/d/")]
    [TestCase("/d/*")]
    public async Task Get_fetches_what_is_told_and_fails(string path)
    {
        var result = await RunAsync("get", "--json", Url(path), _folder.Path);
        Assert.That((result.Code, File.Exists(_folder["a"]), File.Exists(_folder["b"])),
            Is.EqualTo((ExitCode.SomeFailed, true, false)), result.ToString());
        AssertFailed(result.Output);
    }

    [Test]
    public async Task A_pattern_that_matches_nothing_of_what_is_told_is_not_a_pattern_without_a_match()
    {
        var result = await RunAsync("get", Url("/d/x*"), _folder.Path);
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(result.Error, Does.Contain(Reason));
    }

    [Test]
    public async Task Copy_to_another_folder_of_a_server_moves_what_is_told_and_fails()
    {
        var result = await RunAsync("copy", "--json", Url("/d/"), Url("/copied"));
        Assert.That((result.Code, _store.Files.Contains("/copied/a")), Is.EqualTo((ExitCode.SomeFailed, true)), result.ToString());
        AssertFailed(result.Output);
    }

    [Test]
    public async Task Sync_keeps_what_is_not_told_and_fails()
    {
        _folder.Add("b", "mine");
        var result = await RunAsync("sync", "--delete", "--json", Url("/d/"), _folder.Path);
        Assert.That((result.Code, File.Exists(_folder["a"]), File.Exists(_folder["b"])),
            Is.EqualTo((ExitCode.SomeFailed, true, true)), result.ToString());
        AssertFailed(result.Output);
        Assert.That(JsonDocument.Parse(result.Output).RootElement.GetProperty("notDeleted").GetInt64(), Is.EqualTo(1));
    }

    [Test]
    public async Task Rm_deletes_what_is_told_and_fails()
    {
        var result = await RunAsync("rm", "-r", Url("/d"));
        Assert.That((result.Code, _store.Files.Single()), Is.EqualTo((ExitCode.SomeFailed, "/d/b")));
        Assert.That(result.Error, Does.Contain(Reason));
    }

    [Test]
    public async Task Rm_with_a_pattern_deletes_what_matches_and_fails()
    {
        var result = await RunAsync("rm", Url("/d/*"));
        Assert.That((result.Code, _store.Files.Single()), Is.EqualTo((ExitCode.SomeFailed, "/d/b")));
        Assert.That(result.Error, Does.Contain(Reason));
    }

    private static void AssertFailed(string json)
    {
        var failure = JsonDocument.Parse(json).RootElement.GetProperty("failed").EnumerateArray().Single();
        Assert.That(failure.GetProperty("error").GetString(), Is.EqualTo("partial"));
        Assert.That(failure.GetProperty("message").GetString(), Does.Contain(Reason));
        Assert.That(failure.GetProperty("path").GetString(), Does.Contain("/d"));
    }

    private static Task<CliResult> RunAsync(params string[] args) => new CliHarness().RunAsync(args);

    private string Url(string path) => $"ftp://demo:demo@{_server.EndPoint}{path}";
}
