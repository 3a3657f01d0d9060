using System.IO.Compression;
using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Files;

/// <summary>One file up and down, on every server and variant.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.All))]
[Parallelizable]
public sealed class FileTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    [TestCase(0)]
    [TestCase(1)]
    [TestCase(10_000)]
    [TestCase(5_000_003)]
    public async Task A_file_goes_up_and_comes_down_with_its_content_and_time(int length)
    {
        var content = Bytes.Random(length);
        var source = LocalFile("source", content);
        var target = Path.Combine(Scratch, "target");
        await using var client = Client();

        var up = await client.UploadFileAsync(source, Remote + "/file");
        var down = await client.DownloadFileAsync(Remote + "/file", target);

        var remote = Server.Local(Remote + "/file");
        Bytes.AssertSame(File.ReadAllBytes(remote), content);
        Bytes.AssertSame(File.ReadAllBytes(target), content);
        Assert.That(File.GetLastWriteTimeUtc(remote), Is.EqualTo(File.GetLastWriteTimeUtc(source)));
        Assert.That(File.GetLastWriteTimeUtc(target), Is.EqualTo(File.GetLastWriteTimeUtc(source)));
        Assert.That((up.Bytes, down.Bytes), Is.EqualTo(((long)length, (long)length)));
        Assert.That((up.Verified, down.Verified), Is.EqualTo((VerificationMode.Size, VerificationMode.Size)));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }), "no temporary file is left");
    }

    [Test]
    public async Task Streams_go_up_and_come_down()
    {
        var content = Bytes.Random(300_000);
        await using var client = Client();

        using var source = new MemoryStream(content);
        await client.UploadAsync(source, Remote + "/stream");
        using var target = new MemoryStream();
        await client.DownloadAsync(Remote + "/stream", target);

        Bytes.AssertSame(target.ToArray(), content);
    }

    [Test]
    public async Task An_archive_is_read_where_it_is()
    {
        var content = Bytes.Random(1_000_000);
        var archive = new MemoryStream();
        using (var made = new ZipArchive(archive, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var name in new[] { "a", "b", "c" })
            {
                using var entry = made.CreateEntry(name, CompressionLevel.NoCompression).Open();
                entry.Write(content);
            }
        }
        Server.Plant(Remote + "/a.zip", archive.ToArray());
        await using var client = Client();

        using var stream = await client.OpenReadAsync(Remote + "/a.zip");
        Assert.That(stream.CanSeek, Is.True);
        using var zip = new ZipArchive(stream);
        using var read = new MemoryStream();
        using (var entry = zip.GetEntry("b")!.Open()) entry.CopyTo(read);

        Bytes.AssertSame(read.ToArray(), content);
        Assert.That(zip.Entries, Has.Count.EqualTo(3));
    }

    [Test]
    public async Task Several_files_follow_each_other_on_one_session()
    {
        await using var client = Client(options => options with { MaxSessions = 1 });
        for (var i = 0; i < 10; i++)
        {
            using var source = new MemoryStream(Bytes.Random(i * 1000, seed: i));
            await client.UploadAsync(source, $"{Remote}/file {i}");
        }

        for (var i = 0; i < 10; i++)
        {
            using var target = new MemoryStream();
            await client.DownloadAsync($"{Remote}/file {i}", target);
            Bytes.AssertSame(target.ToArray(), Bytes.Random(i * 1000, seed: i));
        }
    }

    [Test]
    public async Task A_part_of_a_file_can_be_read()
    {
        var content = Bytes.Random(200_000);
        Server.Plant(Remote + "/file", content);
        await using var client = Client();

        await using (var stream = await client.OpenReadAsync(Remote + "/file", new ReadOptions { Offset = 123_456, Length = 5000 }))
        {
            using var part = new MemoryStream();
            await stream.CopyToAsync(part);
            Bytes.AssertSame(part.ToArray(), content.AsSpan(123_456..128_456));
        }

        // The transfer that was cut short did not cost the client anything.
        using var whole = new MemoryStream();
        await client.DownloadAsync(Remote + "/file", whole);
        Same.Bytes(whole.ToArray(), content);
    }

    [Test]
    public async Task A_written_stream_is_published_by_its_commit_only()
    {
        await using var client = Client();

        await using (var dropped = await client.OpenWriteAsync(Remote + "/dropped")) await dropped.WriteAsync(Bytes.Random(100_000));
        await using (var kept = await client.OpenWriteAsync(Remote + "/kept"))
        {
            await kept.WriteAsync(Bytes.Random(100_000));
            await kept.CommitAsync();
        }

        Assert.That(RemoteNames(), Is.EqualTo(new[] { "kept" }));
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/kept")), Bytes.Random(100_000));
    }

    [TestCase(PublishMode.Rename)]
    [TestCase(PublishMode.Direct)]
    public async Task An_upload_replaces_a_longer_file_when_asked(PublishMode publish)
    {
        Server.Plant(Remote + "/file", Bytes.Random(50_000));
        await using var client = Client();

        using var source = new MemoryStream(Bytes.Random(1000, seed: 2));
        await client.UploadAsync(source, Remote + "/file", new UploadOptions { Overwrite = OverwriteMode.Always, Publish = publish });

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), Bytes.Random(1000, seed: 2));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
    }

    [Test]
    public async Task An_upload_fails_when_the_file_exists_and_leaves_it()
    {
        Server.Plant(Remote + "/file", Bytes.Random(500));
        await using var client = Client();

        using var source = new MemoryStream(Bytes.Random(10, seed: 2));
        var error = (await Assert.CatchAsync<TransferException>(() => client.UploadAsync(source, Remote + "/file")))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.Exists), error.ToString());
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), Bytes.Random(500));
        Assert.That(RemoteNames(), Is.EqualTo(new[] { "file" }));
    }

    [Test]
    public async Task An_upload_is_skipped_when_the_file_exists_and_that_was_asked()
    {
        Server.Plant(Remote + "/file", Bytes.Random(500));
        await using var client = Client();

        using var source = new MemoryStream(Bytes.Random(10, seed: 2));
        var result = await client.UploadAsync(source, Remote + "/file", new UploadOptions { Overwrite = OverwriteMode.Skip });

        Assert.That(result.Skipped, Is.True);
        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/file")), Bytes.Random(500));
    }

    [TestCase(1, true)]
    [TestCase(-1, false)]
    [TestCase(0, false)]
    public async Task Newer_replaces_older_files_only(int daysNewer, bool replaced)
    {
        Server.Plant(Remote + "/file", Bytes.Random(500));
        var remoteTime = new DateTime(2024, 6, 1, 12, 0, 0, DateTimeKind.Utc);
        File.SetLastWriteTimeUtc(Server.Local(Remote + "/file"), remoteTime);
        var source = LocalFile("source", Bytes.Random(10, seed: 2), remoteTime.AddDays(daysNewer));
        await using var client = Client();

        var result = await client.UploadFileAsync(source, Remote + "/file", new UploadOptions { Overwrite = OverwriteMode.Newer });

        Assert.That(result.Skipped, Is.EqualTo(!replaced));
        Assert.That(new FileInfo(Server.Local(Remote + "/file")).Length, Is.EqualTo(replaced ? 10 : 500));
    }

    [Test]
    public async Task A_file_that_is_not_there_is_not_found()
    {
        await using var client = Client();

        using var target = new MemoryStream();
        var error = (await Assert.CatchAsync<TransferException>(() => client.DownloadAsync(Remote + "/absent", target)))!;

        Assert.That(error.Error, Is.EqualTo(TransferError.NotFound), error.ToString());
        Assert.That(error.ServerCode, Is.EqualTo(IsSftp ? 2 : 550));
    }

    [Test]
    public async Task Missing_directories_above_a_file_are_created_only_when_asked()
    {
        await using var client = Client();

        using var source = new MemoryStream([1, 2, 3]);
        Assert.That(async () => await client.UploadAsync(source, Remote + "/a/b/file"), Throws.InstanceOf<TransferException>());
        source.Position = 0;
        await client.UploadAsync(source, Remote + "/a/b/file", new UploadOptions { CreateDirectories = true });

        Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + "/a/b/file")), [1, 2, 3]);
    }

    // Of the larger one SFTP sends parts over several sessions.
    [TestCase(3, null)]
    [TestCase(5_000_003, 3)]
    public async Task A_files_folder_need_not_be_there_and_may_be(int length, int? segments)
    {
        var content = Bytes.Random(length);
        var source = LocalFile("source", content);
        await using var client = Client();
        var options = new UploadOptions { CreateDirectories = true, Segments = segments };

        foreach (var path in new[] { "/a/b/c/file", "/a/b/c/second", "/a/d/third" })
        {
            await client.UploadFileAsync(source, Remote + path, options);
            Bytes.AssertSame(File.ReadAllBytes(Server.Local(Remote + path)), content);
        }

        Assert.That(Directory.GetFiles(Server.Local(Remote), "*", SearchOption.AllDirectories), Has.Length.EqualTo(3),
            "no temporary file is left");
    }

    [Test]
    public async Task Permissions_are_set_when_asked()
    {
        await using var client = Client();

        using var source = new MemoryStream([1]);
        const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead;
        await client.UploadAsync(source, Remote + "/file", new UploadOptions { Mode = Mode });

        Assert.That(File.GetUnixFileMode(Server.Local(Remote + "/file")), Is.EqualTo(Mode));
    }
}
