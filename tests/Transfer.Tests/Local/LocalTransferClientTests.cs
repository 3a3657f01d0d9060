using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

public sealed class LocalTransferClientTests
{
    private TempFolder _folder = null!;
    private LocalTransferClient _client = null!;

    [SetUp]
    public void SetUp()
    {
        _folder = new TempFolder();
        _client = Open(_folder.Path);
    }

    [TearDown]
    public async Task TearDown()
    {
        await _client.DisposeAsync();
        _folder.Dispose();
    }

    [Test]
    public async Task An_absent_folder_is_not_found_whatever_is_asked_of_it()
    {
        var target = _folder["target"];
        Func<Task>[] asked =
        [
            async () => await _client.ListAsync("absent").ToListAsync(),
            () => _client.DownloadDirectoryAsync("absent", target),
            () => _client.SynchronizeAsync(target, "absent", SyncDirection.Down),
            () => _client.UploadDirectoryAsync(_folder["absent"], "other"),
            () => _client.CopyDirectoryAsync("absent", _client, "other"),
        ];
        foreach (var ask in asked) Assert.That((await ask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(await _client.DeleteAsync("absent", recursive: true).AsTask().Soon(), Is.False);
        Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path), Is.Empty, "nothing is made for what is absent");
    }

    [Test]
    public async Task A_move_onto_another_hard_link_of_the_file_leaves_one_name([Values] bool elsewhere)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("Hard links are made by link(2) here.");
        _folder.Add("f", [1, 2, 3]);
        var to = elsewhere ? "d/g" : "g";
        Directory.CreateDirectory(_folder["d"]);
        Assert.That(Transfer.Local.DiskFiles.TryLink(_folder["f"], _folder[to]), Is.Zero);
        await _client.MoveAsync("f", to, overwrite: true).AsTask().Soon();
        Assert.That(_folder.Files, Is.EqualTo(new[] { to }));
        Assert.That(_folder.Read(to), Is.EqualTo(new byte[] { 1, 2, 3 }));
    }

    [Test]
    public async Task A_move_onto_its_own_name_by_a_link_to_its_folder_keeps_the_file()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links need rights there.");
        _folder.Add("d/f", [1, 2, 3]);
        Directory.CreateSymbolicLink(_folder["l"], "d");
        await _client.MoveAsync("d/f", "l/f", overwrite: true).AsTask().Soon();
        Assert.That(_folder.Read("d/f"), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(Directory.GetFiles(_folder["d"]), Has.Length.EqualTo(1));
    }

    [Test]
    public async Task A_folder_that_becomes_a_link_while_it_is_deleted_leads_nowhere([Values] bool sync)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("The script hears of the entries that are read.");
        _folder.Add("other/precious", [1]);
        _folder.Add("other/deep/precious", [1]);
        _folder.Add("tree/sub/precious", [2]);
        _folder.Add("tree/sub/deep/precious", [2]);
        _folder.Add("empty/keep", [3]);
        var sub = _folder["tree/sub"];
        using var script = new DiskScript(_folder.Path, (call, path, _) =>
        {
            // Its entries are read, and nothing of it is deleted yet.
            if (call != Transfer.Local.DiskCall.NextEntry || path != Path.Join(sub, "deep") || new FileInfo(sub).LinkTarget is not null)
                return 0;
            Directory.Move(sub, _folder["moved"]);
            Directory.CreateSymbolicLink(sub, _folder["other"]);
            return 0;
        });
        if (sync)
        {
            await using var from = new MemoryTransferClient(new MemoryStore());
            await from.UploadAsync(new MemoryStream([3]), "/s/keep", new() { CreateDirectories = true });
            await from.SynchronizeAsync(_folder["tree"], "/s", SyncDirection.Down, new() { Delete = true }).Soon();
        }
        else
        {
            Assert.That(async () => await _client.DeleteAsync("tree", recursive: true), Throws.InstanceOf<TransferException>());
        }
        Assert.That(File.Exists(_folder["other/precious"]) && File.Exists(_folder["other/deep/precious"]), Is.True);
    }

    [Test]
    public async Task Files_are_written_and_read_with_the_semantics_of_every_client()
    {
        var bytes = Samples.Bytes(500_000);
        var up = await _client.UploadAsync(new MemoryStream(bytes), "a/f",
            new() { CreateDirectories = true, Modified = Samples.Time }).Soon();
        Assert.That((up.Bytes, up.Verified), Is.EqualTo((500_000L, VerificationMode.Size)));
        Assert.That(_folder.Read("a/f").AsSpan().SequenceEqual(bytes));
        Assert.That(_folder.Files, Is.EqualTo(new[] { "a/f" }));
        var entry = await _client.GetEntryAsync("a/f").Soon();
        Assert.That((entry!.Type, entry.Length, entry.Modified),
            Is.EqualTo((RemoteEntryType.File, (long?)500_000, (DateTimeOffset?)Samples.Time)));
        var target = new MemoryStream();
        await _client.DownloadAsync("a/f", target).Soon();
        Assert.That(target.ToArray().AsSpan().SequenceEqual(bytes));
        var exists = await _client.UploadAsync(new MemoryStream(bytes), "a/f").Failure<TransferException>();
        Assert.That(exists.Error, Is.EqualTo(TransferError.Exists));
    }

    [Test]
    public async Task A_part_of_a_file_is_read()
    {
        _folder.Add("f", Samples.Bytes(1_000_000));
        await using var stream = await _client.OpenReadAsync("f", new() { Offset = 400_000, Length = 300_000 }).Soon();
        var read = new MemoryStream();
        await stream.CopyToAsync(read).Soon();
        Assert.That(read.ToArray().AsSpan().SequenceEqual(Samples.Bytes(1_000_000).AsSpan(400_000, 300_000)));
    }

    [Test]
    public async Task A_written_file_appears_with_the_commit_or_not_at_all()
    {
        await using (var stream = await _client.OpenWriteAsync("f").Soon())
        {
            await stream.WriteAsync(new byte[100_000]).AsTask().Soon();
            Assert.That(File.Exists(_folder["f"]), Is.False);
            await stream.CommitAsync().Soon();
        }
        await using (var given = await _client.OpenWriteAsync("g").Soon()) await given.WriteAsync(new byte[100_000]).AsTask().Soon();
        Assert.That(_folder.Files, Is.EqualTo(new[] { "f" }));
    }

    [Test]
    public async Task Listings_tell_what_there_is()
    {
        _folder.Add("d/f", [1, 2], Samples.Time);
        Directory.CreateDirectory(_folder["d/sub"]);
        File.CreateSymbolicLink(_folder["d/link"], "f");
        var entries = (await _client.ListAsync("d").ToListAsync().Soon()).ToDictionary(entry => entry.Name);
        Assert.That(entries.Keys, Is.EquivalentTo(new[] { "f", "sub", "link" }));
        Assert.That((entries["f"].Length, entries["f"].Modified), Is.EqualTo(((long?)2, (DateTimeOffset?)Samples.Time)));
        Assert.That((entries["link"].Type, entries["link"].LinkTarget), Is.EqualTo((RemoteEntryType.Link, "f")));
        Assert.That(entries["sub"].Type, Is.EqualTo(RemoteEntryType.Directory));
        if (!OperatingSystem.IsWindows()) Assert.That(entries["f"].Mode, Is.Not.Null);
        Assert.That((await _client.ListAsync("no").ToListAsync().AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
        Assert.That(await _client.GetEntryAsync("no").Soon(), Is.Null);
    }

    [Test]
    public async Task Things_are_made_moved_and_deleted()
    {
        await _client.CreateDirectoryAsync("a/b/c").AsTask().Soon();
        await _client.CreateDirectoryAsync("a/b/c").AsTask().Soon();
        Assert.That((await _client.CreateDirectoryAsync("x/y", parents: false).AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.NotFound));
        _folder.Add("f", [1]);
        _folder.Add("g", [2]);
        Assert.That((await _client.CreateDirectoryAsync("f").AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Exists));
        Assert.That((await _client.MoveAsync("f", "g").AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.Exists));
        await _client.MoveAsync("f", "g", overwrite: true).AsTask().Soon();
        await _client.MoveAsync("a/b", "moved").AsTask().Soon();
        Assert.That((_folder.Read("g").Single(), Directory.Exists(_folder["moved/c"])), Is.EqualTo(((byte)1, true)));
        Assert.That((await _client.MoveAsync("no", "x").AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.NotFound));
        Assert.That((await _client.DeleteAsync("moved").AsTask().Failure<TransferException>()).Error, Is.EqualTo(TransferError.Denied));
        Assert.That(await _client.DeleteAsync("moved", recursive: true).Soon(), Is.True);
        Assert.That(await _client.DeleteAsync("moved", recursive: true).Soon(), Is.False);
        Assert.That(await _client.DeleteAsync("g").Soon(), Is.True);
    }

    [Test]
    public async Task Nothing_outside_the_root_is_reached()
    {
        using var outside = new TempFolder();
        outside.Add("secret", [9]);
        Directory.CreateSymbolicLink(_folder["dir"], outside.Path);
        File.CreateSymbolicLink(_folder["file"], outside["secret"]);
        foreach (var path in new[] { "../x", "a/../../x", outside.Path + "/secret", _folder.Path + "-sibling/x", "dir/secret", "file" })
        {
            Assert.That((await _client.DownloadAsync(path, new MemoryStream()).Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.Denied), path);
        }
        foreach (var path in new[] { "../x", outside.Path + "/x", "dir/x" })
        {
            Assert.That((await _client.UploadAsync(new MemoryStream([1]), path).Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.Denied), path);
        }
        await _client.UploadAsync(new MemoryStream([1]), "file",
            new() { Overwrite = OverwriteMode.Always, Publish = PublishMode.Direct }).Failure<TransferException>();
        Assert.That((await _client.ListAsync("dir").ToListAsync().AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Denied));
        Assert.That((await _client.DeleteAsync("dir/secret").AsTask().Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Denied));
        Assert.That(outside.Files, Is.EqualTo(new[] { "secret" }));
        Assert.That(outside.Read("secret"), Is.EqualTo(new byte[] { 9 }));
    }

    [Test]
    public async Task Links_that_stay_inside_are_fine_and_a_link_itself_can_be_moved_and_deleted()
    {
        using var outside = new TempFolder();
        outside.Add("kept", [9]);
        _folder.Add("d/f", [1]);
        Directory.CreateSymbolicLink(_folder["in"], _folder["d"]);
        Directory.CreateSymbolicLink(_folder["out"], outside.Path);
        var target = new MemoryStream();
        await _client.DownloadAsync("in/f", target).Soon();
        Assert.That(target.ToArray(), Is.EqualTo(new byte[] { 1 }));
        await _client.MoveAsync("out", "out2").AsTask().Soon();
        Assert.That(await _client.DeleteAsync("out2", recursive: true).Soon(), Is.True);
        Assert.That(Directory.Exists(_folder["out2"]), Is.False);
        Assert.That(outside.Files, Is.EqualTo(new[] { "kept" }));
    }

    [Test]
    public async Task Links_are_followed_when_the_options_say_so()
    {
        using var outside = new TempFolder();
        outside.Add("f", [9]);
        Directory.CreateSymbolicLink(_folder["out"], outside.Path);
        await using var client = Open(_folder.Path, new() { FollowLinks = true });
        var target = new MemoryStream();
        await client.DownloadAsync("out/f", target).Soon();
        Assert.That(target.ToArray(), Is.EqualTo(new byte[] { 9 }));
        Assert.That((await client.DownloadAsync("../x", target).Failure<TransferException>()).Error, Is.EqualTo(TransferError.Denied));
    }

    [Test]
    public async Task A_folder_is_copied_from_one_place_to_another()
    {
        for (var i = 0; i < 50; i++) _folder.Add($"s/d{i % 5}/f {i} ü", Samples.Bytes(1000 * i, i), Samples.Time);
        using var other = new TempFolder();
        await using var target = Open(other.Path);
        var result = await _client.CopyDirectoryAsync("s", target, "t").Soon();
        Assert.That((result.Files, result.Failed), Is.EqualTo((50L, 0L)));
        for (var i = 0; i < 50; i++)
        {
            Assert.That(other.Read($"t/d{i % 5}/f {i} ü").AsSpan().SequenceEqual(Samples.Bytes(1000 * i, i)));
            Assert.That(File.GetLastWriteTimeUtc(other[$"t/d{i % 5}/f {i} ü"]), Is.EqualTo(Samples.Time.UtcDateTime));
        }
    }

    [Test]
    public async Task Escapes_in_the_url_are_the_names_they_stand_for()
    {
        _folder.Add("a b#c%3F/f", [1]);
        await using var client = Open(_folder["a b#c%3F"]);
        Assert.That(await client.GetEntryAsync("f").Soon(), Is.Not.Null);
    }

    [Test]
    public async Task A_pipe_is_not_opened()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("There are none of that kind.");
        _folder.AddPipe("pipe");
        Assert.That((await _client.GetEntryAsync("pipe").Soon())!.Type, Is.EqualTo(RemoteEntryType.Other));
        Assert.That((await _client.DownloadAsync("pipe", new MemoryStream()).Failure<TransferException>()).Error,
            Is.EqualTo(TransferError.Unsupported));
    }

    [Test]
    public void Urls_of_other_hosts_and_schemes_are_refused()
    {
        Assert.That(() => new LocalTransferClient(new Uri("ftp://host/")), Throws.ArgumentException);
        if (!OperatingSystem.IsWindows())
            Assert.That(() => new LocalTransferClient(new Uri("file://server/share/")), Throws.ArgumentException);
        Assert.That(() => new LocalTransferClient(new Uri("file://localhost/")), Throws.Nothing);
    }

    internal static LocalTransferClient Open(string folder, LocalTransferOptions? options = null) =>
        new(new Uri("file://" + string.Join('/', folder.Replace('\\', '/').Split('/').Select(Uri.EscapeDataString))), options);
}
