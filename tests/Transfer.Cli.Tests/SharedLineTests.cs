using Transfer.Testing;

namespace Transfer.Cli.Tests;

/// <summary>Files that the command is given by name or by pattern cost the server as little as those of a folder.</summary>
[Category(Categories.Slow)]
public sealed class SharedLineTests
{
    private const int Files = 200;
    private const int Sessions = 2;

    private static readonly TimeSpan RoundTrip = TimeSpan.FromMilliseconds(8);
    private static readonly string[] LogIn = ["USER", "PASS", "SYST", "FEAT", "OPTS", "TYPE", "PWD", "QUIT"];

    private TempFolder _local = null!;

    [SetUp]
    public void CreateFiles()
    {
        _local = new TempFolder();
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", Samples.Bytes(1000, seed: i));
    }

    [TearDown]
    public void DeleteFiles() => _local.Dispose();

    // On a busy machine files come late to their write, never too early.
    [Test]
    [Retry(5)]
    public async Task Files_that_the_command_is_given_by_name_cost_as_many_reads_as_a_folder()
    {
        var folder = await CommandReadsAsync([_local.Path]);
        var named = await CommandReadsAsync([.. Enumerable.Range(0, Files).Select(i => Path.Combine(_local.Path, $"f{i}"))]);
        TestContext.Out.WriteLine($"reads: folder {folder}, named {named}");
        Assert.That(named, Is.LessThanOrEqualTo(folder * 1.15));
    }

    [Test]
    public async Task Files_that_a_pattern_deletes_go_together()
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new() { Store = store });
        for (var i = 0; i < Files; i++) store.AddFile($"/in/f{i}", [1]);
        store.AddDirectory("/in/folder");
        var result = await new CliHarness().RunAsync("rm", $"ftp://demo:demo@{server.EndPoint}/in/f*");
        Assert.That((result.Code, store.Files.Count), Is.EqualTo((0, 0)), result.ToString());
        Assert.That(store.Directories, Does.Not.Contain("/in/folder"));
        var deletions = server.Commands.Where(command => command.Verb == "DELE").ToList();
        Assert.That(deletions, Has.Count.EqualTo(Files));
        Assert.That(Reads(deletions), Is.LessThan(Files / 4));
    }

    private static async Task<int> CommandReadsAsync(string[] sources)
    {
        var store = new MemoryStore();
        await using var server = await FtpTestServer.StartAsync(new() { Store = store, Link = new() { RoundTrip = RoundTrip } });
        store.AddDirectory("/in");
        var result =
            await new CliHarness().RunAsync(["put", "--sessions", $"{Sessions}", .. sources, $"ftp://demo:demo@{server.EndPoint}/in/"]);
        Assert.That((result.Code, store.Files.Count), Is.EqualTo((0, Files)), result.ToString());
        return Reads(server.Commands.Where(command => !LogIn.Contains(command.Verb)));
    }

    // Commands that left in one write are read at once.
    private static int Reads(IEnumerable<TestCommand> commands) =>
        commands.Select(command => (command.Connection, command.Read)).Distinct().Count();
}
