using Transfer.Sessions;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>Our client at an embedded SFTP server, over both stores.</summary>
[TestFixture(true)]
[TestFixture(false)]
internal sealed class SftpFileTests(bool memory)
{
    private string _folder = null!;
    private ITestStore _store = null!;
    private SftpTestServer _server = null!;

    [SetUp]
    public async Task SetUpAsync()
    {
        _folder = Directory.CreateTempSubdirectory("transfer-sftp-").FullName;
        _store = memory ? new MemoryStore() : new DirectoryStore(_folder);
        _server = await SftpServerHarness.StartAsync(new() { Store = _store });
    }

    [TearDown]
    public async Task TearDownAsync()
    {
        await _server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Test]
    public async Task Files_go_up_and_come_back()
    {
        await using var client = _server.Client();
        foreach (var length in (int[])[0, 1, 1024, 5_000_000])
        {
            var content = SftpServerHarness.Content(length);
            await client.PutAsync("/a", content);
            Same.Bytes(await client.GetAsync("/a"), content);
        }
    }

    [Test]
    public async Task Folders_go_up_and_come_back()
    {
        var (from, to) = (Directory.CreateDirectory(Path.Join(_folder, "..", Path.GetFileName(_folder) + ".from")),
            Path.Join(_folder, "..", Path.GetFileName(_folder) + ".to"));
        try
        {
            for (var i = 0; i < 150; i++)
            {
                var folder = from.CreateSubdirectory($"d{i % 3}/e");
                await File.WriteAllBytesAsync(Path.Join(folder.FullName, $"{i}"), SftpServerHarness.Content(i * 10, i));
            }

            await using var client = _server.Client(options => options with { MaxSessions = 4 });
            var up = await client.UploadDirectoryAsync(from.FullName, "/up");
            Assert.That((up.Files, up.Failed), Is.EqualTo((150, 0)));
            var again = await client.UploadDirectoryAsync(from.FullName, "/up", new DirectoryOptions { Overwrite = OverwriteMode.Newer });
            Assert.That(again.Files, Is.Zero, "the times were kept");
            var down = await client.DownloadDirectoryAsync("/up", to);
            Assert.That((down.Files, down.Failed), Is.EqualTo((150, 0)));
            for (var i = 0; i < 150; i++)
                Same.Bytes(await File.ReadAllBytesAsync(Path.Join(to, $"d{i % 3}/e/{i}")), SftpServerHarness.Content(i * 10, i));
        }
        finally
        {
            from.Delete(recursive: true);
            if (Directory.Exists(to)) Directory.Delete(to, recursive: true);
        }
    }

    [Test]
    public async Task Names_are_made_listed_renamed_and_deleted()
    {
        await using var client = _server.Client();
        await client.CreateDirectoryAsync("/d/e");
        await client.PutAsync("/d/a", SftpServerHarness.Content(10));
        await client.PutAsync("/d/b", SftpServerHarness.Content(20));
        Assert.That((await SftpServerHarness.FailsAsync(() => client.MoveAsync("/d/a", "/d/b").AsTask())).Error,
            Is.EqualTo(TransferError.Exists));
        await client.MoveAsync("/d/a", "/d/b", overwrite: true);
        var names = new List<string>();
        await foreach (var entry in client.ListAsync("/d")) names.Add($"{entry.Name} {entry.Type} {entry.Length}");
        Assert.That(names.Order(), Is.EqualTo(new[] { "b File 10", "e Directory 0" }).Or.EqualTo(new[] { "b File 10", "e Directory " }));
        Assert.That(await client.DeleteAsync("/d", recursive: true), Is.True);
        Assert.That(await client.GetEntryAsync("/d"), Is.Null);
    }

    [Test]
    public async Task A_link_does_not_replace_the_file_to_which_it_leads([Values("a", "/d/t", "../d/a")] string text)
    {
        var (store, content) = (new MemoryStore(), SftpServerHarness.Content(10));
        store.AddFile("/d/a", content);
        store.AddFile("/d/b", SftpServerHarness.Content(20));
        store.AddSymbolicLink("/d/t", "a");
        store.AddSymbolicLink("/d/s", text);
        await using var server = await SftpServerHarness.StartAsync(new() { Store = store });
        await using var client = server.Client();
        var error = await SftpServerHarness.FailsAsync(() => client.MoveAsync("/d/s", "/d/a", overwrite: true).AsTask());
        Assert.That((error.Error, error.RemotePath), Is.EqualTo((TransferError.Exists, "/d/a")));
        Same.Bytes(store.ReadFile("/d/a"), content);
        await client.MoveAsync("/d/s", "/d/b", overwrite: true);
        Same.Bytes(await client.GetAsync("/d/b"), content);
    }

    [Test]
    public async Task Times_and_modes_are_kept()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Windows has no modes.");
        await using var client = _server.Client();
        await client.PutAsync("/a", [1]);
        var time = new DateTimeOffset(2011, 12, 13, 14, 15, 16, TimeSpan.Zero);
        await client.SetMetadataAsync("/a", new FileMetadata { Modified = time, Mode = (UnixFileMode)0x180 });
        var entry = (await client.GetEntryAsync("/a"))!;
        Assert.That((entry.Modified, entry.Mode), Is.EqualTo((time, (UnixFileMode)0x180)));
    }

    [Test]
    public async Task Several_servers_are_beside_each_other()
    {
        await using var other = await SftpServerHarness.StartAsync();
        await using var client = _server.Client();
        await using var second = other.Client();
        await client.PutAsync("/a", [1, 2, 3]);
        Assert.That(await second.GetEntryAsync("/a"), Is.Null);
        Assert.That((_server.TotalConnections, other.TotalConnections, _server.Uri.Scheme), Is.EqualTo((1, 1, "sftp")));
    }
}
