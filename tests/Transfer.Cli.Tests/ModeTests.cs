using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>chmod and --perms.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class ModeTests : IAsyncDisposable
{
    private const UnixFileMode Usual = (UnixFileMode)0b110_100_100;

    private readonly MemoryStore _store = new();
    private FtpTestServer _server = null!;

    [SetUp]
    public async Task Start() => _server = await FtpTestServer.StartAsync(new FtpTestServerOptions { Store = _store });

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    [TestCase("600", 0b110_000_000)]
    [TestCase("4755", 0b100_111_101_101)]
    [TestCase("u+x,go=", 0b111_000_000)]
    [TestCase("-r", 0b010_000_000)]
    public async Task Chmod_takes_what_chmod_takes(string mode, int expected)
    {
        _store.AddFile("/d/f", [1]);
        await _store.SetModeAsync("/d/f", Usual);
        var result = await RunAsync("chmod", mode, "/d/f");
        Assert.That((result.Code, result.Output, result.Error), Is.EqualTo((0, "", "")));
        Assert.That(await ModeAsync("/d/f"), Is.EqualTo((UnixFileMode)expected));
    }

    [Test]
    public async Task Chmod_goes_down_with_R_and_takes_patterns()
    {
        foreach (var path in new[] { "/d/a", "/d/sub/b", "/x/1.log", "/x/2.log", "/x/3.txt" })
        {
            _store.AddFile(path, [1]);
            await _store.SetModeAsync(path, Usual);
        }
        Assert.That((await RunAsync("chmod", "go=", "/d", "-R")).Code, Is.Zero);
        Assert.That((await ModeAsync("/d/a"), await ModeAsync("/d/sub/b"), await ModeAsync("/d/sub")),
            Is.EqualTo(((UnixFileMode)0b110_000_000, (UnixFileMode)0b110_000_000, (UnixFileMode)0b111_000_000)));
        Assert.That((await RunAsync("chmod", "600", "/x/*.log")).Code, Is.Zero);
        Assert.That((await ModeAsync("/x/2.log"), await ModeAsync("/x/3.txt")), Is.EqualTo(((UnixFileMode)0b110_000_000, Usual)));
    }

    [TestCase(ExitCode.Usage, "600")]
    [TestCase(ExitCode.Usage, "9", "/f")]
    [TestCase(ExitCode.Usage, "u+q", "/f")]
    [TestCase(ExitCode.Usage, "--whatever", "600", "/f")]
    [TestCase(ExitCode.NotFound, "600", "/none")]
    [TestCase(ExitCode.NotFound, "u+x", "/none")]
    public async Task Chmod_says_what_is_wrong(int code, params string[] arguments)
    {
        var result = await RunAsync(["chmod", .. arguments]);
        Assert.That(result.Code, Is.EqualTo(code), result.ToString());
        Assert.That(result.Error, Is.Not.Empty);
    }

    [Test]
    public async Task One_of_several_that_is_not_there_fails_and_the_others_are_changed()
    {
        _store.AddFile("/f", [1]);
        var result = await RunAsync("chmod", "600", "/none", "/f");
        Assert.That(result.Code, Is.EqualTo(ExitCode.SomeFailed), result.ToString());
        Assert.That(await ModeAsync("/f"), Is.EqualTo((UnixFileMode)0b110_000_000));
    }

    [Test]
    [Platform(Exclude = "Win")]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task Chmod_of_a_file_URL_changes_what_is_here()
    {
        using var folder = new TempFolder();
        var path = folder.Add("f", "x");
        var result = await new CliHarness().RunAsync("chmod", "u=rw,g=r,o=", "file://" + path);
        Assert.That(result.Code, Is.Zero, result.ToString());
        Assert.That(File.GetUnixFileMode(path), Is.EqualTo((UnixFileMode)0b110_100_000));
    }

    [Test]
    [Platform(Exclude = "Win")]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task Perms_gives_exactly_what_the_source_has()
    {
        using var folder = new TempFolder();
        var path = folder.Add("f", "x");
        File.SetUnixFileMode(path, (UnixFileMode)0b111_111_111);
        _store.AddFile("/f", [1]);
        await _store.SetModeAsync("/f", Usual);
        Assert.That((await new CliHarness().RunAsync("put", path, Url("/f"), "--perms")).Code, Is.Zero);
        Assert.That(await ModeAsync("/f"), Is.EqualTo((UnixFileMode)0b111_111_111));
        File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        Assert.That((await new CliHarness().RunAsync("get", Url("/f"), path, "--perms")).Code, Is.Zero);
        Assert.That(File.GetUnixFileMode(path), Is.EqualTo((UnixFileMode)0b111_111_111));
    }

    private async Task<UnixFileMode> ModeAsync(string path) => (await _store.GetAsync(path))!.Mode;

    private string Url(string path) => $"ftp://demo:demo@{_server.Uri.Authority}{path}";

    private Task<CliResult> RunAsync(params string[] arguments) =>
        new CliHarness().RunAsync([.. arguments.Select(argument => argument.StartsWith('/') ? Url(argument) : argument)]);
}
