using Transfer.Testing;

namespace Transfer.Tests.Ftp.Session;

/// <summary>Sessions that are opened for a folder's files before one of them is in line: not where a target may have them all.</summary>
[Category(Categories.Slow)]
public sealed class ExpectedSessionsTests
{
    private const int Sessions = 4;
    private const int Files = 40;

    private TempFolder _here = null!;

    [SetUp]
    public void Fill()
    {
        _here = new TempFolder();
        for (var i = 0; i < Files; i++) _here.Add($"f{i}", FtpHarness.Content(10, i));
    }

    [TearDown]
    public void Empty() => _here.Dispose();

    [Test]
    public async Task A_synchronization_of_files_that_are_there_has_one()
    {
        var store = new MemoryStore();
        await using (var first = await StartAsync(store))
        {
            await first.Client.UploadDirectoryAsync(_here.Path, "/d").Soon();
            Assert.That(first.Server.TotalConnections, Is.EqualTo(Sessions));
        }
        await using var ftp = await StartAsync(store);
        var result = await ftp.Client.SynchronizeAsync(_here.Path, "/d", SyncDirection.Up).Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((0, 0)));
        Assert.That(ftp.Server.TotalConnections, Is.EqualTo(1), () => string.Join(' ', ftp.Work));
    }

    // The others log in while the folder is made.
    [Test]
    public async Task A_first_synchronization_has_all_before_a_file_is_in_line()
    {
        await using var ftp = await StartAsync(new MemoryStore());
        var made = ftp.Server.Faults.Stall("MKD");
        var sync = ftp.Client.SynchronizeAsync(_here.Path, "/d", SyncDirection.Up);
        await Eventually.IsAsync(() => ftp.Server.TotalConnections, Sessions);
        Assert.That(ftp.Work.Select(c => c.Verb), Has.No.Member("STOR"));
        made.Release();
        Assert.That((await sync.Soon()).Files, Is.EqualTo(Files));
    }

    private static Task<FtpHarness> StartAsync(MemoryStore store) =>
        FtpHarness.StartAsync(new() { Store = store, Link = FtpHarness.Far }, FtpHarness.Options with { MaxSessions = Sessions });
}
