using System.Text;
using Transfer.Testing;

namespace Transfer.Tests.Testing;

/// <summary>What both stores promise, and what each has of its own.</summary>
internal sealed class StoreTests
{
    private string _folder = null!;

    [SetUp]
    public void SetUp() => _folder = Directory.CreateTempSubdirectory("transfer-store-").FullName;

    [TearDown]
    public void TearDown() => Directory.Delete(_folder, recursive: true);

    [TestCase(true)]
    [TestCase(false)]
    public async Task Both_stores_keep_files_alike(bool memory)
    {
        var store = Create(memory);
        await store.CreateDirectoryAsync("/d");
        await WriteAsync(store, "/d/a", "0123456789", 0);
        Assert.That((await store.GetAsync("/d/a"))!.Length, Is.EqualTo(10));
        Assert.That(await ReadAsync(store, "/d/a", 7), Is.EqualTo("789"));
        Assert.That(await ReadAsync(store, "/d/a", 20), Is.Empty);
        await WriteAsync(store, "/d/a", "xy", 4, truncate: false);
        Assert.That(await ReadAsync(store, "/d/a"), Is.EqualTo("0123xy6789"));
        await WriteAsync(store, "/d/a", "z", -1);
        Assert.That(await ReadAsync(store, "/d/a"), Is.EqualTo("0123xy6789z"));
        await WriteAsync(store, "/d/a", "ab", 2);
        Assert.That(await ReadAsync(store, "/d/a"), Is.EqualTo("01ab"));
        await WriteAsync(store, "/d/gap", "x", 3);
        Assert.That(await ReadAsync(store, "/d/gap"), Is.EqualTo("\0\0\0x"));
        var time = new DateTimeOffset(2011, 12, 13, 14, 15, 16, TimeSpan.Zero);
        await store.SetModifiedAsync("/d/a", time);
        await store.MoveAsync("/d/a", "/d/gap");
        Assert.That((await store.GetAsync("/d/gap"))!.Modified, Is.EqualTo(time));
        Assert.That(await NamesAsync(store, "/d"), Is.EqualTo("gap"));
        Assert.That(await store.GetAsync("/d/a"), Is.Null);
        await store.DeleteFileAsync("/d/gap");
        await store.DeleteDirectoryAsync("/d");
        Assert.That(await NamesAsync(store, "/"), Is.Empty);
        Assert.That((await store.GetAsync("/"))!.IsDirectory, Is.True);
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task Both_stores_refuse_alike(bool memory)
    {
        var store = Create(memory);
        await store.CreateDirectoryAsync("/d");
        await WriteAsync(store, "/d/a", "x", 0);
        Assert.That(async () => await store.CreateDirectoryAsync("/d"), Throws.InstanceOf<IOException>());
        Assert.That(async () => await store.CreateDirectoryAsync("/no/such"), Throws.InstanceOf<DirectoryNotFoundException>());
        Assert.That(async () => await store.OpenReadAsync("/missing", 0), Throws.InstanceOf<FileNotFoundException>());
        Assert.That(async () => await store.OpenReadAsync("/d", 0), Throws.InstanceOf<UnauthorizedAccessException>());
        Assert.That(async () => await store.OpenWriteAsync("/d", 0), Throws.InstanceOf<UnauthorizedAccessException>());
        Assert.That(async () => await store.OpenWriteAsync("/no/such", 0), Throws.InstanceOf<DirectoryNotFoundException>());
        Assert.That(async () => await store.DeleteFileAsync("/d"), Throws.InstanceOf<UnauthorizedAccessException>());
        Assert.That(async () => await store.DeleteFileAsync("/missing"), Throws.InstanceOf<FileNotFoundException>());
        Assert.That(async () => await store.DeleteDirectoryAsync("/d"), Throws.InstanceOf<IOException>());
        Assert.That(async () => await store.DeleteDirectoryAsync("/"), Throws.InstanceOf<UnauthorizedAccessException>());
        Assert.That(async () => await store.MoveAsync("/missing", "/x"), Throws.InstanceOf<FileNotFoundException>());
        Assert.That(async () => await store.SetModifiedAsync("/missing", DateTimeOffset.UnixEpoch),
            Throws.InstanceOf<FileNotFoundException>());
        Assert.That(async () => await NamesAsync(store, "/missing"), Throws.InstanceOf<DirectoryNotFoundException>());
    }

    [Test]
    public async Task No_path_and_no_link_leads_out_of_a_folder()
    {
        var root = Directory.CreateDirectory(Path.Combine(_folder, "root")).FullName;
        var outside = Path.Combine(_folder, "root-not", "secret");
        Directory.CreateDirectory(Path.GetDirectoryName(outside)!);
        await File.WriteAllTextAsync(outside, "secret");
        File.CreateSymbolicLink(Path.Combine(root, "file"), outside);
        Directory.CreateSymbolicLink(Path.Combine(root, "dir"), Path.GetDirectoryName(outside)!);
        Directory.CreateSymbolicLink(Path.Combine(root, "up"), "..");
        await File.WriteAllTextAsync(Path.Combine(root, "own"), "own");
        File.CreateSymbolicLink(Path.Combine(root, "inside"), "own");
        File.CreateSymbolicLink(Path.Combine(root, "loop"), "loop");

        await using var server = await FtpTestServer.StartAsync(new() { Store = new DirectoryStore(root) });
        await using var client = await RawFtp.LogInAsync(server);
        Assert.That(await client.ReceiveAsync("RETR inside"), Is.EqualTo("own"u8.ToArray()));
        Assert.That(await client.ReceiveAsync("RETR ../../own"), Is.EqualTo("own"u8.ToArray()));
        string[] refused = ["SIZE file", "SIZE dir/secret", "SIZE up/root-not/secret", "SIZE loop",
            "SIZE up/root/own/../../root-not/secret", "SIZE ../root-not/secret", "DELE file", "MKD dir/x", "CWD up", "CWD dir"];
        foreach (var command in refused) Assert.That(await client.CommandAsync(command), Does.StartWith("550"), command);
        await client.PassiveAsync();
        Assert.That(await client.CommandAsync("STOR file"), Does.StartWith("550"));
        await client.CommandAsync("RNFR own");
        Assert.That(await client.CommandAsync("RNTO dir/own"), Does.StartWith("550"));
        Assert.That(await File.ReadAllTextAsync(outside), Is.EqualTo("secret"));
        Assert.That(Directory.GetFileSystemEntries(Path.GetDirectoryName(outside)!), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_folder_is_served_over_FTP()
    {
        await using var server = await FtpTestServer.StartAsync(new() { Store = new DirectoryStore(_folder) });
        await using var client = await RawFtp.LogInAsync(server);
        var content = FtpTransferTests.Bytes(500_000);
        await client.CommandAsync("MKD d");
        Assert.That(await client.StoreAsync("STOR d/a b", content), Does.StartWith("226"));
        Same.Bytes(await File.ReadAllBytesAsync(Path.Combine(_folder, "d", "a b")), content);
        Assert.That(await client.CommandAsync("MFMT 20101112131415 d/a b"), Does.StartWith("213"));
        Assert.That(File.GetLastWriteTimeUtc(Path.Combine(_folder, "d", "a b")),
            Is.EqualTo(new DateTime(2010, 11, 12, 13, 14, 15, DateTimeKind.Utc)));
        Same.Bytes(await client.ReceiveAsync("RETR d/a b"), content);
        Assert.That(await client.LinesAsync("NLST d"), Is.EqualTo(new[] { "d/a b" }));
        Assert.That(await client.CommandAsync("AVBL"), Does.StartWith("213 "));
        if (OperatingSystem.IsWindows()) return;
        await client.CommandAsync("SITE CHMOD 600 d/a b");
        Assert.That(File.GetUnixFileMode(Path.Combine(_folder, "d", "a b")), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
    }

    [Test]
    public void A_folder_must_exist() =>
        Assert.That(() => new DirectoryStore(Path.Combine(_folder, "missing")), Throws.InstanceOf<DirectoryNotFoundException>());

    [Test]
    public async Task A_memory_store_takes_no_more_than_its_capacity()
    {
        var store = new MemoryStore(capacity: 10);
        await WriteAsync(store, "/a", "12345678", 0);
        Assert.That(store.FreeBytes, Is.EqualTo(2));
        Assert.That(async () => await WriteAsync(store, "/b", "123", 0), Throws.InstanceOf<IOException>());
        await WriteAsync(store, "/a", "1", 0);
        Assert.That(store.FreeBytes, Is.EqualTo(9));
        await WriteAsync(store, "/b", "123", 0);
        await store.MoveAsync("/b", "/a");
        Assert.That(store.FreeBytes, Is.EqualTo(7));
    }

    [Test]
    public async Task Contents_of_any_size_are_generated_and_discarded()
    {
        var store = new MemoryStore();
        store.AddSyntheticFile("/in", 1L << 40, seed: 3);
        store.AddDiscardDirectory("/out");
        await using (var sink = await store.OpenWriteAsync("/out/big", 0))
        {
            var chunk = new byte[1 << 20];
            for (var i = 0; i < 64; i++) await sink.WriteAsync(chunk);
        }

        Assert.That((await store.GetAsync("/out/big"))!.Length, Is.EqualTo(64L << 20));
        Assert.That((await store.GetAsync("/in"))!.Length, Is.EqualTo(1L << 40));
        await using var source = await store.OpenReadAsync("/in", (1L << 40) - 3);
        var tail = await RawFtp.ReadAllAsync(source);
        var expected = new byte[3];
        SyntheticContent.Fill(expected, (1L << 40) - 3, seed: 3);
        Assert.That(tail, Is.EqualTo(expected));
        Assert.That(async () => await WriteAsync(store, "/in", "x", 0), Throws.InstanceOf<UnauthorizedAccessException>());
    }

    [Test]
    public void Generated_content_is_the_same_however_it_is_read()
    {
        var whole = new byte[1000];
        SyntheticContent.Fill(whole, 5, seed: 1);
        for (var size = 1; size < 40; size++)
        {
            var pieces = new byte[1000];
            for (var at = 0; at < pieces.Length; at += size)
                SyntheticContent.Fill(pieces.AsSpan(at, Math.Min(size, pieces.Length - at)), 5 + at, seed: 1);
            Assert.That(pieces.AsSpan().SequenceEqual(whole), Is.True, $"in pieces of {size}");
        }

        var other = new byte[1000];
        SyntheticContent.Fill(other, 5, seed: 2);
        Assert.That(other.AsSpan().SequenceEqual(whole), Is.False);
    }

    [Test]
    public async Task A_large_memory_file_is_written_in_any_order()
    {
        var store = new MemoryStore();
        var content = FtpTransferTests.Bytes(300_000);
        store.AddFile("/a", content.AsSpan(0, 1000));
        await using (var end = await store.OpenWriteAsync("/a", 150_000, truncate: false)) await end.WriteAsync(content.AsMemory(150_000));
        await using (var start = await store.OpenWriteAsync("/a", 1000, truncate: false))
            await start.WriteAsync(content.AsMemory(1000, 149_000));
        Same.Bytes(store.ReadFile("/a"), content);
    }

    private ITestStore Create(bool memory) => memory ? new MemoryStore() : new DirectoryStore(_folder);

    private static async Task WriteAsync(ITestStore store, string path, string text, long offset, bool truncate = true)
    {
        await using var stream = await store.OpenWriteAsync(path, offset, truncate);
        await stream.WriteAsync(Encoding.ASCII.GetBytes(text));
    }

    private static async Task<string> ReadAsync(ITestStore store, string path, long offset = 0)
    {
        await using var stream = await store.OpenReadAsync(path, offset);
        return Encoding.ASCII.GetString(await RawFtp.ReadAllAsync(stream));
    }

    private static async Task<string> NamesAsync(ITestStore store, string path)
    {
        var names = new List<string>();
        await foreach (var entry in store.ListAsync(path)) names.Add(entry.Name);
        return string.Join(' ', names.Order(StringComparer.Ordinal));
    }
}
