using Transfer.Ftp;
using Transfer.Testing;
using Transfer.Tests.Cli;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Engine;

/// <summary>Files that an application sends one by one cost the server as little as those of a folder: they share one line, and leave in the same writes.</summary>
public sealed class SharedSchedulerTests
{
    private const int Files = 200;
    private const int UnderWay = 32;

    // A session of FTP publishes files in the write of the next ones: there must be some that it has not.
    private const int Sessions = 2;

    private static readonly TimeSpan Way = TimeSpan.FromMilliseconds(10);

    private Transfer.Tests.Engine.TempFolder _local = null!;

    [SetUp]
    public void CreateFiles()
    {
        _local = new Transfer.Tests.Engine.TempFolder();
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", FtpHarness.Content(1000, seed: i));
    }

    [TearDown]
    public void DeleteFiles() => _local.Dispose();

    // On a busy machine files come late to their write, never too early.
    [TestCase(true)]
    [TestCase(false)]
    [Retry(5)]
    public async Task Files_sent_all_at_once_or_some_at_a_time_cost_as_many_reads_as_a_folder(bool overFtp)
    {
        Func<Func<TransferClient, Task>, Task<int>> readsAsync = overFtp ? FtpReadsAsync : SftpReadsAsync;
        var folder = await readsAsync(client => client.UploadDirectoryAsync(_local.Path, "/in"));
        var atOnce = await readsAsync(client => Task.WhenAll(Enumerable.Range(0, Files).Select(i => PutAsync(client, i))));
        var inLoop = await readsAsync(async client =>
        {
            using var places = new SemaphoreSlim(UnderWay);
            await Task.WhenAll(Enumerable.Range(0, Files).Select(async i =>
            {
                await places.WaitAsync();
                // A look in front of each would be a command of its own.
                await PutAsync(client, i, new() { Overwrite = OverwriteMode.Always });
                places.Release();
            }));
        });
        var named = await readsAsync(client => client.UploadFilesAsync(Enumerable.Range(0, Files).Select(i => new FileUpload(Path.Combine(_local.Path, $"f{i}"), "/in/")).ToAsyncEnumerable()));
        TestContext.Out.WriteLine($"reads: folder {folder}, at once {atOnce}, {UnderWay} under way {inLoop}, named one by one {named}");
        Assert.That(named, Is.LessThanOrEqualTo(folder * 1.15));
        Assert.That(atOnce, Is.LessThanOrEqualTo(folder * 1.15));
        // With so few under way there are so many flights at least.
        var flights = (overFtp ? 2 : 3) * ((Files + UnderWay - 1) / UnderWay);
        Assert.That(inLoop, Is.LessThanOrEqualTo(Math.Max(folder, flights) * 1.15));
    }

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
        await using var ftp = await FtpHarness.StartAsync();
        for (var i = 0; i < Files; i++) ftp.Store.AddFile($"/in/f{i}", [1]);
        ftp.Store.AddDirectory("/in/folder");
        var result = await new CliHarness().RunAsync("rm", $"ftp://demo:demo@{ftp.Server.EndPoint}/in/f*");
        Assert.That((result.Code, ftp.Store.Files.Count), Is.EqualTo((0, 0)), result.ToString());
        Assert.That(ftp.Store.Directories, Does.Not.Contain("/in/folder"));
        var deletions = ftp.Work.Where(command => command.Verb == "DELE").ToList();
        Assert.That(deletions, Has.Count.EqualTo(Files));
        Assert.That(deletions.Select(command => (command.Connection, command.Read)).Distinct().Count(), Is.LessThan(Files / 4));
    }

    private static async Task<int> CommandReadsAsync(string[] sources)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Link = new() { RoundTrip = 2 * Way } });
        ftp.Store.AddDirectory("/in");
        var result = await new CliHarness().RunAsync(["put", "--sessions", $"{Sessions}", .. sources, $"ftp://demo:demo@{ftp.Server.EndPoint}/in/"]);
        Assert.That((result.Code, ftp.Store.Files.Count), Is.EqualTo((0, Files)), result.ToString());
        return ftp.Work.Select(command => (command.Connection, command.Read)).Distinct().Count();
    }

    private Task<TransferResult> PutAsync(TransferClient client, int i, UploadOptions? options = null) => client.UploadFileAsync(Path.Combine(_local.Path, $"f{i}"), $"/in/f{i}", options);

    private static async Task<int> FtpReadsAsync(Func<TransferClient, Task> send)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Link = new() { RoundTrip = 2 * Way } });
        ftp.Store.AddDirectory("/in");
        await using var client = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = Sessions });
        await send(client);
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(Files));
        return ftp.Work.Select(command => (command.Connection, command.Read)).Distinct().Count();
    }

    private static async Task<int> SftpReadsAsync(Func<TransferClient, Task> send)
    {
        var server = new FakeServer { Way = Way };
        server.Store.Directories.Add("/in");
        var session = await server.OpenAsync();
        await using var client = new MemoryTransferClient(new MemoryStore(), new() { MaxSessions = 1 }, open: _ => session);
        await send(client);
        Assert.That(server.Store.Files.Keys, Has.Count.EqualTo(Files));
        return server.Reads;
    }
}
