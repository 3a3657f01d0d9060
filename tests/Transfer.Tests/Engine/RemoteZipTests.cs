using System.IO.Compression;
using Transfer.Sessions;
using Transfer.TestSupport.Ftp;
using Transfer.Tests.Ftp.Session;
using Transfer.Tests.Sftp.Protocol;

namespace Transfer.Tests.Engine;

/// <summary>A ZIP archive at a server, read and written by what .NET has for that, which calls synchronously.</summary>
public sealed class RemoteZipTests
{
    private const int Entries = 60;
    private const int EntryLength = 1 << 20;

    private static readonly byte[] Archive = Make();

    [Test]
    public async Task Over_FTP_the_directory_and_the_entry_that_is_opened_are_fetched()
    {
        var options = FtpHarness.Options with { Dial = new DialOptions { ReceiveBufferSize = 64 << 10 } };
        CountingStore counting = null!;
        await using var ftp = await FtpHarness.StartAsync(options: options, front: store => counting = new CountingStore(store));
        ftp.Store.AddFile("/a.zip", Archive);
        await AssertReadsOneEntry(ftp.Client);
        // A server sends on until the data connection is closed: what its socket and ours hold comes on top, three times.
        TestContext.Out.WriteLine($"FTP: {counting.Read} of {Archive.Length} bytes");
        Assert.That(counting.Read, Is.LessThan(Archive.Length / 2));
    }

    [Test]
    public async Task Over_SFTP_the_directory_and_the_entry_that_is_opened_are_fetched()
    {
        var store = new FakeStore();
        store.Files["/a.zip"] = Archive;
        var servers = new List<FakeServer>();
        await using var client = new FakeSftpClient(store, servers);
        await AssertReadsOneEntry(client);
        var sent = servers.Sum(server => server.Sent);
        TestContext.Out.WriteLine($"SFTP: {sent} of {Archive.Length} bytes");
        Assert.That(sent, Is.LessThan(4 * EntryLength));
    }

    [Test]
    public async Task Of_a_local_folder_the_same()
    {
        using var folder = new TempFolder();
        folder.Add("a.zip", Archive);
        await using var client = new LocalTransferClient(new Uri(folder.Path + "/"));
        await AssertReadsOneEntry(client, "a.zip");
    }

    [Test]
    public async Task An_archive_is_written_into_a_file_that_appears_with_its_commit()
    {
        await using var ftp = await FtpHarness.StartAsync();
        await using (var stream = await ftp.Client.OpenWriteAsync("/new.zip"))
        {
            using (var zip = new ZipArchive(stream, ZipArchiveMode.Create, leaveOpen: true))
            using (var entry = zip.CreateEntry("a").Open())
            using (var text = new StreamWriter(entry)) text.Write("content");
            Assert.That(ftp.Store.Files, Does.Not.Contain("/new.zip"));
            await stream.CommitAsync();
        }
        using var read = await ftp.Client.OpenReadAsync("/new.zip");
        using var again = new ZipArchive(read);
        using var reader = new StreamReader(again.GetEntry("a")!.Open());
        Assert.That(reader.ReadToEnd(), Is.EqualTo("content"));
    }

    [Test]
    public async Task Opened_for_reading_in_order_a_file_costs_no_look_before_and_does_not_seek()
    {
        await using var ftp = await FtpHarness.StartAsync();
        ftp.Store.AddFile("/a.txt", "one\ntwo\n"u8.ToArray());
        using (var stream = await ftp.Client.OpenReadAsync("/a.txt", new ReadOptions { Sequential = true }))
        using (var reader = new StreamReader(stream))
        {
            Assert.That(stream.CanSeek, Is.False);
            Assert.That((reader.ReadLine(), reader.ReadToEnd()), Is.EqualTo(("one", "two\n")));
        }
        Assert.That(ftp.Work.Select(command => command.Verb), Is.EqualTo(new[] { "SIZE", "EPSV", "RETR" }));
    }

    private static async Task AssertReadsOneEntry(TransferClient client, string path = "/a.zip")
    {
        using var stream = await client.OpenReadAsync(path);
        using var zip = new ZipArchive(stream, ZipArchiveMode.Read);
        Assert.That(zip.Entries, Has.Count.EqualTo(Entries));
        using var entry = zip.GetEntry("e30")!.Open();
        var content = new MemoryStream();
        entry.CopyTo(content);
        Assert.That(content.ToArray().AsSpan().SequenceEqual(Samples.Bytes(EntryLength)));
    }

    private static byte[] Make()
    {
        var archive = new MemoryStream();
        using (var zip = new ZipArchive(archive, ZipArchiveMode.Create, leaveOpen: true))
        {
            for (var i = 0; i < Entries; i++)
            {
                using var entry = zip.CreateEntry($"e{i}", CompressionLevel.NoCompression).Open();
                entry.Write(Samples.Bytes(EntryLength));
            }
        }
        return archive.ToArray();
    }

    private sealed class FakeSftpClient(FakeStore store, List<FakeServer> servers) : TransferClient(new Uri("sftp://host/"))
    {
        protected override async ValueTask<TransferSession> OpenSessionAsync(CancellationToken cancellationToken)
        {
            var server = new FakeServer(store);
            servers.Add(server);
            return await server.OpenAsync(ct: cancellationToken);
        }
    }
}
