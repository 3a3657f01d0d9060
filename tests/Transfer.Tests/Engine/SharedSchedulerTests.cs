using Transfer.Ftp;
using Transfer.Sessions;
using Transfer.Testing;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Engine;

/// <summary>
/// Files that an application sends one by one cost the server as little as those of a folder: they share one line, and leave in the same
/// writes.
/// </summary>
[Category(Categories.Slow)]
public sealed class SharedSchedulerTests
{
    private const int Files = 200;
    private const int UnderWay = 32;

    private static readonly TimeSpan Way = TimeSpan.FromMilliseconds(10);

    // Each file has a data connection of its own, with round trips of its own: with those of 20 ms these tests took minutes.
    private static readonly TimeSpan FtpRoundTrip = TimeSpan.FromMilliseconds(8);

    private TempFolder _local = null!;

    [SetUp]
    public void CreateFiles()
    {
        _local = new TempFolder();
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", FtpHarness.Content(1000, seed: i));
    }

    [TearDown]
    public void DeleteFiles() => _local.Dispose();

    // On a busy machine files come late to their write, never too early.
    [Test]
    [Retry(5)]
    public async Task Files_sent_all_at_once_or_some_at_a_time_cost_as_many_reads_as_a_folder(
        [Values] bool overFtp, [Values(1, 2, 4)] int sessions, [Values(OverwriteMode.Fail, OverwriteMode.Always)] OverwriteMode overwrite)
    {
        Func<Func<TransferClient, Task>, Task<int>> readsAsync = overFtp
            ? send => FtpReadsAsync(send, sessions) : send => SftpReadsAsync(send, sessions);
        var how = new UploadOptions { Overwrite = overwrite };
        // One after the other, so that none keeps another from the processor; each has a server of its own.
        var folder = await readsAsync(client => client.UploadDirectoryAsync(_local.Path, "/in", new() { Overwrite = overwrite }));
        var atOnce = await readsAsync(client => Task.WhenAll(Enumerable.Range(0, Files).Select(i => PutAsync(client, i, how))));
        var inLoop = await readsAsync(async client =>
        {
            using var places = new SemaphoreSlim(UnderWay);
            await Task.WhenAll(Enumerable.Range(0, Files).Select(async i =>
            {
                await places.WaitAsync();
                await PutAsync(client, i, how);
                places.Release();
            }));
        });
        var named = await readsAsync(
            client =>
            client.UploadFilesAsync(
                Enumerable.Range(0, Files).Select(i => new FileUpload(Path.Combine(_local.Path, $"f{i}"), "/in/")).ToAsyncEnumerable(),
                new() { Overwrite = overwrite }));
        TestContext.Out.WriteLine(
            $"{(overFtp ? "FTP" : "SFTP")}, {sessions} sessions, {overwrite}: folder {folder}, at once {atOnce}, {UnderWay} under way "
            + $"{inLoop}, named one by one {named}");
        // A file that comes late to a session's write costs a read, once a session at most where it is the last one's turn.
        var late = sessions;
        // The first look of a list leaves at once, and its file with it: a look and three flights in front of all others.
        Assert.That(named, Is.LessThanOrEqualTo((folder * 1.15) + late + (overwrite == OverwriteMode.Fail ? 4 : 0)));
        Assert.That(atOnce, Is.LessThanOrEqualTo((folder * 1.15) + late));
        Assert.That(inLoop, Is.LessThanOrEqualTo((Math.Max(folder, overFtp ? FtpFlights(sessions) : SftpFlights(sessions)) * 1.15) + late));
    }

    // A session moves eight files in a flight, and names them in the flight of the next ones if there are any: a loop that has no more
    // under way
    // than the sessions have in their hands needs a flight for the names alone.
    private static int FtpFlights(int sessions) => sessions * 8 < UnderWay ? 0 : 2 * sessions * Rounds;

    // Each of them opens, writes and names its files in a flight each, and there are no more under way that could go with them.
    private static int SftpFlights(int sessions) => 3 * sessions * Rounds;

    private static int Rounds => (Files + UnderWay - 1) / UnderWay;

    private Task<TransferResult> PutAsync(TransferClient client, int i, UploadOptions? options = null) =>
        client.UploadFileAsync(Path.Combine(_local.Path, $"f{i}"), $"/in/f{i}", options);

    private static async Task<int> FtpReadsAsync(Func<TransferClient, Task> send, int sessions)
    {
        await using var ftp = await FtpHarness.StartAsync(new FtpTestServerOptions { Link = new() { RoundTrip = FtpRoundTrip } });
        ftp.Store.AddDirectory("/in");
        await using var client = new FtpTransferClient(ftp.Server.Uri, FtpHarness.Options with { MaxSessions = sessions });
        await send(client);
        Assert.That(ftp.Store.Files, Has.Count.EqualTo(Files));
        return ftp.Work.Select(command => (command.Connection, command.Read)).Distinct().Count();
    }

    private static async Task<int> SftpReadsAsync(Func<TransferClient, Task> send, int sessions)
    {
        var store = new FakeStore();
        store.Directories.Add("/in");
        var servers = Enumerable.Range(0, sessions).Select(_ => new FakeServer(store) { Way = Way }).ToList();
        var opened = new Queue<TransferSession>();
        foreach (var server in servers) opened.Enqueue(await server.OpenAsync());
        await using (var client = new MemoryTransferClient(new MemoryStore(), new() { MaxSessions = sessions }, open: _ => Next()))
            await send(client);
        Assert.That(store.Files.Keys, Has.Count.EqualTo(Files));
        foreach (var unused in opened) await unused.DisposeAsync();
        return servers.Where(server => server.RequestCount > 0).Sum(server => server.Reads);

        TransferSession Next()
        {
            lock (opened) return opened.Dequeue();
        }
    }
}
