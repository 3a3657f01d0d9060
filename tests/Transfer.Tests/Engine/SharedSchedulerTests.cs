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
    public void CreateFolder() => _local = new TempFolder();

    [TearDown]
    public void DeleteFiles() => _local.Dispose();

    // On a busy machine files come late to their write, never too early.
    [Test]
    [Retry(5)]
    public async Task Files_sent_all_at_once_or_some_at_a_time_cost_as_many_reads_as_a_folder(
        [Values] bool overFtp, [Values(1, 4)] int sessions, [Values(OverwriteMode.Fail, OverwriteMode.Always)] OverwriteMode overwrite)
    {
        CreateFiles(1000);
        // One after the other, so that none keeps another from the processor; each has a server of its own.
        var reads = await CountAsync(overFtp ? send => FtpReadsAsync(send, sessions) : send => SftpReadsAsync(send, sessions), overwrite);
        TestContext.Out.WriteLine($"{(overFtp ? "FTP" : "SFTP")}, {sessions} sessions, {overwrite}: {reads}");
        // A file that comes late to a session's write costs a read, once a session at most where it is the last one's turn.
        var late = sessions;
        // The first look of a list leaves at once, and its file with it: a look and three flights in front of all others.
        Assert.That(reads.Named, Is.LessThanOrEqualTo((reads.Folder * 1.15) + late + (overwrite == OverwriteMode.Fail ? 4 : 0)));
        Assert.That(reads.AtOnce, Is.LessThanOrEqualTo((reads.Folder * 1.15) + late));
        var least = Math.Max(reads.Folder, overFtp ? FtpFlights(sessions) : SftpFlights(sessions));
        Assert.That(reads.InLoop, Is.LessThanOrEqualTo((least * 1.15) + late));
    }

    // Files of a usual length in reads of a usual length: 125 reads of sftp-server's 16 KiB are their contents, whoever sends them.
    // OverwriteMode.Skip and Newer look at each file in a flight of its own, a fourth one: 163 reads against 136.
    [Test]
    [Retry(5)]
    public async Task Over_SFTP_files_of_10_KB_cost_the_same_reads_in_a_loop_as_in_a_folder(
        [Values(OverwriteMode.Fail, OverwriteMode.Always)] OverwriteMode overwrite)
    {
        CreateFiles(10_240);
        var reads = await CountAsync(send => SftpReadsAsync(send, sessions: 1, readLength: 16 * 1024), overwrite);
        TestContext.Out.WriteLine($"SFTP, 10 KB, {overwrite}: {reads}");
        Assert.That(new[] { reads.AtOnce, reads.InLoop, reads.Named }, Is.All.LessThanOrEqualTo(reads.Folder * 1.15));
    }

    // A session moves eight files in a flight, and names them in the flight of the next ones if there are any: a loop that has no more
    // under way than the sessions have in their hands needs a flight for the names alone.
    private static int FtpFlights(int sessions) => sessions * 8 < UnderWay ? 0 : 2 * sessions * Rounds;

    // A file takes three flights: OPEN, whose reply has the handle; contents and CLOSE, whose replies say that all is stored; and RENAME,
    // which may not leave before. A loop starts the next file behind the third, so that 32 under way move by 32 files in three flights,
    // where a folder has 256 files under way.
    private static int SftpFlights(int sessions) => 3 * sessions * Rounds;

    private static int Rounds => (Files + UnderWay - 1) / UnderWay;

    private void CreateFiles(int length)
    {
        for (var i = 0; i < Files; i++) _local.Add($"f{i}", FtpHarness.Content(length, seed: i));
    }

    private async Task<Counts> CountAsync(Func<Func<TransferClient, Task>, Task<int>> readsAsync, OverwriteMode overwrite)
    {
        var how = new UploadOptions { Overwrite = overwrite };
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
        return new(folder, atOnce, inLoop, named);
    }

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

    private static async Task<int> SftpReadsAsync(Func<TransferClient, Task> send, int sessions, int readLength = int.MaxValue)
    {
        var store = new FakeStore();
        store.Directories.Add("/in");
        var servers = Enumerable.Range(0, sessions).Select(_ => new FakeServer(store) { Way = Way, ReadLength = readLength }).ToList();
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

    /// <summary>Reads at the server, by the way in which the same files were sent.</summary>
    private sealed record Counts(int Folder, int AtOnce, int InLoop, int Named);
}
