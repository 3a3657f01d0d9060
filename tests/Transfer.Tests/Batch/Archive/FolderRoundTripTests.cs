using System.Runtime.Versioning;
using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;

namespace Transfer.Tests.Batch.Archive;

[Category(Categories.Slow)]
public sealed class FolderRoundTripTests
{
    private static readonly DateTimeOffset Time = new(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Test]
    public async Task A_folder_arrives_as_it_was()
    {
        using var job = new BatchJob();
        var random = new Random(1);
        for (var i = 0; i < 200; i++)
        {
            var content = new byte[random.Next(3000)];
            if (i % 3 != 0) random.NextBytes(content);
            job.Source.Add($"d{i % 7}/e{i % 3}/file {i}.bin", content, Time.AddTicks(i * 12345));
        }
        job.Source.Add("größe/ünï.txt", "text"u8.ToArray(), Time);
        job.Source.Add(string.Join('/', Enumerable.Repeat("a-long-name-of-a-folder", 12)) + "/x", [1], Time);
        var result = await job.CarryAsync(new BatchPackOptions { ArchiveFiles = 30 });
        Assert.That(result.Files, Is.EqualTo(202));
        Assert.That(result.Failed, Is.Zero);
        AssertSame(job);
    }

    [Test]
    public async Task What_is_not_sealed_arrives_too()
    {
        using var job = new BatchJob(isSealed: false);
        job.Source.Add("a/b", new byte[100_000], Time);
        await job.CarryAsync();
        AssertSame(job);
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public async Task Empty_folders_links_permissions_and_fractions_of_a_second_arrive()
    {
        using var job = new BatchJob();
        var modified = Time.AddTicks(1234567);
        Directory.CreateDirectory(job.Source["empty/inner"]);
        File.SetUnixFileMode(job.Source.Add("secret", "s"u8.ToArray(), modified), UnixFileMode.UserRead);
        File.SetUnixFileMode(job.Source.Add("run", "s"u8.ToArray(), modified), (UnixFileMode)0b111_101_101);
        File.CreateSymbolicLink(job.Source["link"], "run");
        File.CreateSymbolicLink(job.Source["dangling"], "empty/nothing");
        File.SetUnixFileMode(job.Source["empty"], UnixFileMode.UserRead | UnixFileMode.UserExecute);
        Directory.SetLastWriteTimeUtc(job.Source["empty"], modified.UtcDateTime);
        var result = await job.CarryAsync(new BatchPackOptions { Links = LinkHandling.Copy });
        Assert.That(result.Files, Is.EqualTo(4));
        Assert.That(Directory.Exists(job.Target["empty/inner"]));
        Assert.That(File.GetUnixFileMode(job.Target["secret"]), Is.EqualTo(UnixFileMode.UserRead));
        Assert.That(File.GetUnixFileMode(job.Target["run"]), Is.EqualTo((UnixFileMode)0b111_101_101));
        Assert.That(File.GetUnixFileMode(job.Target["empty"]), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserExecute));
        Assert.That(Directory.GetLastWriteTimeUtc(job.Target["empty"]), Is.EqualTo(modified.UtcDateTime));
        Assert.That(File.GetLastWriteTimeUtc(job.Target["secret"]), Is.EqualTo(modified.UtcDateTime));
        Assert.That(new FileInfo(job.Target["link"]).LinkTarget, Is.EqualTo("run"));
        Assert.That(new FileInfo(job.Target["dangling"]).LinkTarget, Is.EqualTo("empty/nothing"));
        foreach (var folder in new[] { job.Source, job.Target }) File.SetUnixFileMode(folder["empty"], (UnixFileMode)0b111_101_101);
    }

    [TestCase(false)]
    [TestCase(true)]
    [Platform("Win,MacOsX", Reason = "Elsewhere creation times can't be set.")]
    public async Task Creation_times_arrive(bool replaces)
    {
        using var job = new BatchJob();
        var (created, modified) = (Time.AddDays(-2).AddTicks(1234567).UtcDateTime, Time.AddDays(-1).UtcDateTime);
        string[] names = ["small", "d/large"];
        job.Source.Add("small", [1, 2, 3], Time);
        job.Source.Add("d/large", new byte[300_000], Time);
        foreach (var name in names) File.SetCreationTimeUtc(job.Source[name], created);
        foreach (var name in names) File.SetLastWriteTimeUtc(job.Source[name], modified);
        Directory.SetCreationTimeUtc(job.Source["d"], created);
        Directory.SetLastWriteTimeUtc(job.Source["d"], modified);
        if (replaces) foreach (var name in names) job.Target.Add(name, [4], Time);
        await job.CarryAsync(new BatchPackOptions { ArchiveBytes = 100_000 },
            new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None });
        foreach (var name in names)
        {
            Assert.That(File.GetCreationTimeUtc(job.Target[name]), Is.EqualTo(File.GetCreationTimeUtc(job.Source[name])), name);
            Assert.That(File.GetLastWriteTimeUtc(job.Target[name]), Is.EqualTo(modified), name);
        }
        if (!replaces)
            Assert.That(Directory.GetCreationTimeUtc(job.Target["d"]), Is.EqualTo(Directory.GetCreationTimeUtc(job.Source["d"])));
        Assert.That(File.GetCreationTimeUtc(job.Source["small"]), Is.EqualTo(created).Within(TimeSpan.FromTicks(10)),
            "or nothing was tested");
    }

    [Test]
    public async Task Creation_times_of_other_systems_are_in_the_archive_and_do_no_harm()
    {
        using var job = new BatchJob();
        var created = Time.AddDays(-1).AddTicks(1234567).UtcDateTime;
        var entry = new TarEntry
        {
            Path = "a",
            Type = TarEntryType.File,
            Length = 3,
            Mode = (UnixFileMode)0b110_100_100,
            Modified = Time.UtcDateTime,
            Created = created
        };
        var folder = entry with { Path = "d", Type = TarEntryType.Directory, Length = 0, Mode = (UnixFileMode)0b111_101_101 };
        // One that no file system has is no reason to refuse the file.
        var old = entry with { Path = "old", Created = new DateTime(1600, 1, 1, 0, 0, 0, DateTimeKind.Utc) };
        var tar = new TarBuilder().Add(entry, "abc"u8.ToArray()).Add(folder, []).Add(old, "abc"u8.ToArray()).ToBytes();
        Assert.That(tar.AsSpan().IndexOf("LIBARCHIVE.creationtime=1614747967.1234567\n"u8), Is.Positive);
        await using var unpacker = job.Unpack();
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(await job.SealAsync(tar)), default);
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        Assert.That(receipt.Failures, Is.Empty);
        foreach (var name in (string[])["a", "old"])
        {
            Assert.That(File.ReadAllText(job.Target[name]), Is.EqualTo("abc"));
            Assert.That(File.GetLastWriteTimeUtc(job.Target[name]), Is.EqualTo(Time.UtcDateTime), name);
        }
        Assert.That(Directory.GetLastWriteTimeUtc(job.Target["d"]), Is.EqualTo(Time.UtcDateTime));
        if (OperatingSystem.IsLinux()) return;
        foreach (var path in (string[])[job.Target["a"], job.Target["d"]])
            Assert.That(File.GetCreationTimeUtc(path), Is.EqualTo(created).Within(TimeSpan.FromTicks(10)), path);
    }

    [TestCase(nameof(Durability.Archive))]
    [TestCase(nameof(Durability.File))]
    public async Task Large_files_are_sliced_and_put_together_in_any_order(string durability)
    {
        using var job = new BatchJob();
        var content = new byte[1_000_003];
        new Random(2).NextBytes(content);
        job.Source.Add("sub/large", content, Time);
        job.Source.Add("small", [1, 2, 3], Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 100_000 });
        var written = await BatchJob.WriteAsync(archives);
        Assert.That(written, Has.Count.EqualTo(12));
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Durability = Enum.Parse<Durability>(durability) });
        written.Reverse();
        foreach (var (archive, bytes) in written)
        {
            // The first has the small file, and no slice.
            Assert.That(File.Exists(job.Target["sub/large"]), Is.EqualTo(archive.Index == 0));
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(2));
        AssertSame(job);
    }

    [Test]
    public async Task A_receiver_that_is_started_anew_goes_on_with_a_sliced_file()
    {
        using var job = new BatchJob();
        var content = new byte[500_000];
        new Random(3).NextBytes(content);
        job.Source.Add("large", content, Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 100_000 });
        var written = await BatchJob.WriteAsync(archives);
        // Killed: nothing of it is disposed of.
        var first = job.Unpack();
        foreach (var (archive, bytes) in written[..3])
        {
            archive.Confirm(
                await first.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }

        await using var second = job.Unpack();
        foreach (var (archive, bytes) in written[3..])
        {
            archive.Confirm(
                await second.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }

        Assert.That(await second.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(1));
        // The first one's marks are for the next that starts.
        foreach (var mark in job.Target.Files.Where(TemporaryNames.IsMark)) File.Delete(job.Target[mark]);
        AssertSame(job);
    }

    [Test]
    public async Task A_slice_that_is_there_is_not_written_once_more_into_a_file_that_got_its_name_meanwhile()
    {
        using var job = new BatchJob();
        // Of several frames each, the last of which is no short one.
        var content = Convert.ToBase64String(Samples.Bytes(31_950));
        var half = content.Length / 2;
        var archives = new byte[2][];
        for (var i = 0; i < 2; i++)
        {
            archives[i] = await job.SealAsync(new TarBuilder().Add("large", content.Substring(i * half, half),
                slice: new(1, i * half, content.Length)).ToBytes(), i, isAgain: true);
        }
        // Killed when the slice was recorded, and before anybody could remember that its archive has come.
        var first = job.Unpack();
        Assert.That((await first.ReceiveAsync(0, new MemoryStream(archives[0]), default)).Failures, Is.Empty);
        await using var second = job.Unpack();
        ArchiveReceipt? last = null;
        var late = new LateStream(archives[0],
            () => last = second.ReceiveAsync(1, new MemoryStream(archives[1]), default).AsTask()
            .WaitAsync(TimeSpan.FromSeconds(30)).Result);
        Assert.That((await second.ReceiveAsync(0, late, default)).Failures, Is.Empty);
        Assert.That(last, Is.Not.Null, "while the other was read");
        Assert.That((last!.Files, last.Failures.Count), Is.EqualTo((1L, 0)));
        Assert.That(await second.CompleteAsync(default), Is.Empty);
        Assert.That(File.ReadAllText(job.Target["large"]), Is.EqualTo(content));
        Assert.That(File.GetLastWriteTimeUtc(job.Target["large"]), Is.EqualTo(TarBuilder.Time));
    }

    [Test]
    public async Task A_file_whose_slices_were_forgotten_is_not_told_to_be_there()
    {
        using var job = new BatchJob();
        job.Source.Add("large", new byte[300_000], Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 100_000 });
        var written = await BatchJob.WriteAsync(archives);
        await using (var first = job.Unpack())
            written[0].Archive.Confirm(await first.ReceiveAsync(0, new MemoryStream(written[0].Bytes), default));
        await using var second = job.Unpack();
        foreach (var (archive, bytes) in written[1..])
        {
            archive.Confirm(
                await second.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }

        Assert.That(await second.CompleteAsync(default), Has.Count.EqualTo(1));
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed), Is.EqualTo((0, 1)));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task Several_lanes_carry_at_once()
    {
        using var job = new BatchJob();
        var random = new Random(4);
        for (var i = 0; i < 300; i++)
        {
            var content = new byte[i % 50 == 0 ? 90_000 : random.Next(4000)];
            random.NextBytes(content);
            job.Source.Add($"d{i % 5}/{i}", content, Time);
        }
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 40_000 });
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Durability = Durability.Archive });
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            while (await archives.NextAsync(default) is { } archive)
                archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        })));
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(300));
        AssertSame(job);
    }

    private static void AssertSame(BatchJob job)
    {
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
        foreach (var file in job.Source.Files)
        {
            Same.Bytes(job.Target.Read(file), job.Source.Read(file), file);
            Assert.That(File.GetLastWriteTimeUtc(job.Target[file]), Is.EqualTo(File.GetLastWriteTimeUtc(job.Source[file])), file);
        }
    }
}
