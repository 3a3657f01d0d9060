using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;

namespace Transfer.Tests.Batch.Archive;

[Category(Categories.Slow)]
public sealed class PackingTests
{
    private static readonly DateTimeOffset Time = new(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Test]
    public async Task Archives_are_cut_by_bytes_and_by_count_and_go_by_directory()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 10; i++) job.Source.Add($"many/{i}", [1]);
        for (var i = 0; i < 4; i++) job.Source.Add($"large/{i}", new byte[40_000]);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 100_000, ArchiveFiles = 6 });
        var written = await BatchJob.WriteAsync(archives);
        Assert.That(written.Select(one => one.Archive.Index), Is.EqualTo(Enumerable.Range(0, written.Count)));
        await using var unpacker = job.Unpack();
        var receipts = new List<ArchiveReceipt>();
        var folders = new List<int>();
        foreach (var (archive, bytes) in written)
        {
            var before = job.Target.Files.ToHashSet();
            receipts.Add(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
            folders.Add(job.Target.Files.Where(file => !before.Contains(file)).Select(Path.GetDirectoryName).Distinct().Count());
        }
        Assert.That(receipts.Select(receipt => receipt.Files), Is.All.LessThanOrEqualTo(6));
        Assert.That(receipts.Sum(receipt => receipt.Files), Is.EqualTo(14));
        Assert.That(folders.Count(count => count > 1), Is.LessThanOrEqualTo(1), "only where one folder ends and the other begins");
    }

    [Test]
    public async Task An_archive_of_long_paths_is_cut_before_a_reader_would_refuse_it()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Paths are short there.");
        using var job = new BatchJob();
        // With the job's folder in front the paths stay below the 4,096 bytes of PATH_MAX.
        var folder = string.Join('/', Enumerable.Repeat(new string('f', 189), 20));
        for (var i = 0; i < 1200; i++) job.Source.Add($"{folder}/{i:D4}", [1]);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveFiles = BatchPackOptions.MostArchiveFiles });
        var written = await BatchJob.WriteAsync(archives);
        Assert.That(written, Has.Count.EqualTo(2));
        await using var unpacker = job.Unpack(new BatchUnpackOptions { MostCharacters = BatchPackOptions.MostArchiveCharacters });
        foreach (var (archive, bytes) in written)
            Assert.That((await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default)).Failures, Is.Empty);
        Assert.That(unpacker.Tally.ToResult(default, 1).Files, Is.EqualTo(1200));
    }

    [Test]
    [Platform(Include = "Linux")]
    public async Task Files_that_report_no_length_and_have_content_are_not_packed_as_empty_ones()
    {
        using var job = new BatchJob();
        await using var archives = FolderArchives.Open("/proc/sys/kernel/random", new BatchPackOptions(), job.Keys);
        await using var unpacker = job.Unpack();
        foreach (var (archive, bytes) in await BatchJob.WriteAsync(archives))
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        await unpacker.CompleteAsync(default);
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(TimeSpan.Zero, 1);
        Assert.That(result.Files, Is.Zero);
        Assert.That(result.Failures.Select(failure => failure.Error?.Error), Is.Not.Empty.And.All.EqualTo(TransferError.Integrity));
        Assert.That(job.Target.Files, Is.Empty);
    }

    // GNU's tar, told of none, fails where another makes a folder just before it does.
    [Test]
    public async Task Each_plain_stream_tells_of_the_folders_of_its_files_before_them_and_once()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 30; i++) job.Source.Add($"top/{i % 3}/deep/{i}", [1]);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveFiles = 7 });
        var streams = 0;
        for (; await NextAsync() is { } first; streams++)
        {
            using var stream = new MemoryStream();
            var payload = new PlainPayload(stream);
            var folders = new MetFolders();
            await first.WritePlainAsync(payload, folders, default);
            if (await NextAsync() is { } second) await second.WritePlainAsync(payload, folders, default);
            await ArchivePacker.EndAsync(payload, default);
            AssertToldOnce(stream);
        }
        Assert.That(streams, Is.GreaterThan(1), "else none would begin within a folder");

        async ValueTask<PackedArchive?> NextAsync() => (PackedArchive?)await archives.NextAsync(default);
    }

    [Test]
    public async Task Directories_that_wait_for_their_turn_are_bounded_and_the_others_travel()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 100; i++) job.Source.Add($"directory{i:000}/f", [1]);
        var result = await job.CarryAsync(new BatchPackOptions { MaxListingBytes = 2000 });
        Assert.That(result.Failures.Select(item => item.Error!.Error), Is.Not.Empty.And.All.EqualTo(TransferError.Partial));
        Assert.That(job.Target.Files, Has.Count.EqualTo(100 - result.Failed).And.Count.GreaterThan(5));
    }

    [Test]
    public void What_is_no_folder_is_refused_at_once()
    {
        using var job = new BatchJob();
        Assert.That(
            () => FolderArchives.Open(job.Source["absent"], new BatchPackOptions(), job.Keys),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.NotFound));
    }

    [Test]
    public async Task An_empty_folder_gives_no_archive()
    {
        using var job = new BatchJob();
        Assert.That((await job.CarryAsync()).Files, Is.Zero);
    }

    [Test]
    public async Task Filters_leave_out_what_they_say_and_the_folders_that_nothing_is_found_in()
    {
        using var job = new BatchJob();
        job.Source.Add("a/b/x.txt", [1]);
        job.Source.Add("a/y.bin", [1]);
        job.Source.Add("c/z.bin", [1]);
        job.Source.Add("a/b/skip/w.txt", [1]);
        await job.CarryAsync(new BatchPackOptions { Filter = new TransferFilter { Include = ["*.txt"], Exclude = ["skip/"] } });
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a/b/x.txt" }));
        Assert.That(Directory.Exists(job.Target["c"]), Is.False);
    }

    [TestCase(nameof(LinkHandling.Skip), null, 3)]
    [TestCase(nameof(LinkHandling.Copy), "dir", 0)]
    [TestCase(nameof(LinkHandling.Follow), null, 2)]
    public async Task Links_are_treated_as_is_said(string links, string? text, int skipped)
    {
        using var job = new BatchJob();
        job.Source.Add("dir/f", "content"u8.ToArray());
        File.CreateSymbolicLink(job.Source["l"], "dir/f");
        Directory.CreateSymbolicLink(job.Source["d"], "dir");
        Directory.CreateSymbolicLink(job.Source["dir/up"], "..");
        var result = await job.CarryAsync(new BatchPackOptions { Links = Enum.Parse<LinkHandling>(links) });
        Assert.That(result.Skipped, Is.EqualTo(skipped));
        Assert.That(new FileInfo(job.Target["d"]).LinkTarget, Is.EqualTo(text));
        Assert.That(File.Exists(job.Target["d/f"]), Is.EqualTo(links != nameof(LinkHandling.Skip)));
        Assert.That(new FileInfo(job.Target["dir/up"]).LinkTarget, Is.EqualTo(text is null ? null : ".."));
        Assert.That(File.Exists(job.Target["l"]), Is.EqualTo(links != nameof(LinkHandling.Skip)));
    }

    [TestCase("grown")]
    [TestCase("shrunk")]
    [TestCase("touched")]
    public async Task A_file_that_changes_while_it_is_packed_is_sent_once_more(string how)
    {
        using var job = new BatchJob();
        job.Source.Add("changing", new byte[700_000], Time);
        job.Source.Add("other", [1], Time);
        await using var archives = job.Pack();
        await using var unpacker = job.Unpack();
        var archive = (await archives.NextAsync(default))!;
        using var stream = new Meddler(() => Change(job.Source["changing"], how));
        await archive.WriteToAsync(stream, default);
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(stream.ToArray()), default));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "other" }));
        var again = (await archives.NextAsync(default))!;
        again.Confirm(await unpacker.ReceiveAsync(1, new MemoryStream(await BatchJob.WriteAsync(again)), default));
        Assert.That(await archives.NextAsync(default), Is.Null);
        await archives.CompleteAsync(null);
        Same.Bytes(job.Target.Read("changing"), job.Source.Read("changing"));
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(2));
    }

    [Test]
    public async Task The_second_time_it_fails_and_says_so()
    {
        using var job = new BatchJob();
        job.Source.Add("changing", new byte[700_000], Time);
        await using var archives = job.Pack();
        await using var unpacker = job.Unpack();
        for (var i = 0; i < 2; i++)
        {
            var archive = (await archives.NextAsync(default))!;
            using var stream = new Meddler(() => Change(job.Source["changing"], "grown"));
            await archive.WriteToAsync(stream, default);
            archive.Confirm(await unpacker.ReceiveAsync(i, new MemoryStream(stream.ToArray()), default));
        }
        Assert.That(await archives.NextAsync(default), Is.Null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task A_receipt_counts_for_the_writing_that_it_names()
    {
        using var job = new BatchJob();
        job.Source.Add("a", "as it was"u8.ToArray(), Time);
        var told = new Told();
        await using var archives = job.Pack(new BatchPackOptions { Items = told });
        await using var unpacker = job.Unpack();
        var archive = (await archives.NextAsync(default))!;
        // Received, but the receipt is lost; meanwhile it becomes another file.
        await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default);
        job.Source.Add("a", "new"u8.ToArray(), Time.AddDays(1));
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(told.Results.Single().Result!.Bytes, Is.EqualTo(job.Target.Read("a").Length), "what is told is what the receiver has");
    }

    [Test]
    public async Task What_a_writing_did_not_have_is_not_confirmed_by_a_later_one()
    {
        using var job = new BatchJob();
        job.Source.Add("changing", new byte[700_000], Time);
        await using var archives = job.Pack();
        await using var unpacker = job.Unpack();
        for (var i = 0; i < 2; i++)
        {
            var archive = (await archives.NextAsync(default))!;
            using var stream = new Meddler(() => Change(job.Source["changing"], i == 0 ? "grown" : "shrunk"));
            await archive.WriteToAsync(stream, default);
            var receipt = await unpacker.ReceiveAsync(i, new MemoryStream(stream.ToArray()), default);
            // The second time the receipt is lost, and then the file keeps still: the receiver has none of it, and passes over what comes.
            if (i == 1) receipt = await unpacker.ReceiveAsync(i, new MemoryStream(await BatchJob.WriteAsync(archive)), default);
            archive.Confirm(receipt);
        }
        await archives.CompleteAsync(null);
        Assert.That(job.Target.Files, Is.Empty);
        Assert.That(archives.Tally.ToResult(default, 1).Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
    }

    [Test]
    public async Task A_file_that_has_become_large_goes_again_in_slices()
    {
        using var job = new BatchJob();
        job.Source.Add("growing", new byte[1000], Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 50_000, Compress = false });
        await using var unpacker = job.Unpack();
        var content = new byte[220_000];
        new Random(1).NextBytes(content);
        var longest = 0;
        while (await archives.NextAsync(default) is { } archive)
        {
            if (archive.Index == 0) job.Source.Add("growing", content, Time.AddDays(1));
            var bytes = await BatchJob.WriteAsync(archive);
            longest = Math.Max(longest, bytes.Length);
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default));
        }
        await archives.CompleteAsync(null);
        Same.Bytes(job.Target.Read("growing"), content);
        Assert.That(longest, Is.LessThan(60_000));
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(1));
    }

    [Test]
    public async Task What_waits_to_go_again_fails_with_the_job()
    {
        using var job = new BatchJob();
        job.Source.Add("growing", [1], Time);
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        job.Source.Add("growing", [1, 2], Time);
        await BatchJob.WriteAsync(archive);
        await archives.CompleteAsync(new TransferConnectionException());
        Assert.That(archives.Tally.ToResult(default, 1).Failed, Is.EqualTo(1));
    }

    [Test]
    public async Task Who_is_told_of_a_file_holds_nobody_up()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1], Time);
        var free = false;
        FolderArchives? archives = null;
        var told = new Told { OnTold = () => free = Task.Run(() => archives!.NextAsync(default).AsTask()).Wait(TimeSpan.FromSeconds(20)) };
        await using var packing = archives = job.Pack(new BatchPackOptions { Items = told });
        await using var unpacker = job.Unpack();
        var archive = (await archives.NextAsync(default))!;
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(free, Is.True);
    }

    [Test]
    public async Task A_sliced_file_that_changes_begins_anew()
    {
        using var job = new BatchJob();
        job.Source.Add("large", new byte[500_000], Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 100_000 });
        await using var unpacker = job.Unpack();
        var changed = false;
        while (await archives.NextAsync(default) is { } archive)
        {
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
            if (archive.Index != 1 || changed) continue;
            changed = true;
            Change(job.Source["large"], "grown");
        }
        await archives.CompleteAsync(null);
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(1));
        Same.Bytes(job.Target.Read("large"), job.Source.Read("large"));
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty, "nobody misses the slices of the old one");
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "large" }));
    }

    [Test]
    [NonParallelizable]
    public async Task Memory_does_not_grow_with_what_is_carried()
    {
        using var job = new BatchJob();
        // 64 MiB that take no room on the disk, and a good deal of small files.
        using (var file = File.Create(job.Source["large"])) file.SetLength(64 << 20);
        for (var i = 0; i < 500; i++) job.Source.Add($"small/{i}", new byte[10_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var archive = await archives.NextAsync(default);
        await archive!.WriteToAsync(Stream.Null, default);
        var before = GC.GetTotalAllocatedBytes(precise: true);
        for (; archive is not null; archive = await archives.NextAsync(default)) await archive.WriteToAsync(Stream.Null, default);
        Assert.That(GC.GetTotalAllocatedBytes(precise: true) - before, Is.LessThan(8 << 20),
            "bytes allocated on the way, whether they were given back or not");
    }

    [Test]
    public async Task What_cannot_be_read_fails_alone()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1]);
        job.Source.Add("b", [1]);
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        File.Delete(job.Source["a"]);
        await using var unpacker = job.Unpack();
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed), Is.EqualTo((1, 1)));
        Assert.That((result.Failures[0].Path, result.Failures[0].Error!.Error), Is.EqualTo(("a", TransferError.NotFound)));
    }

    [Test]
    public async Task What_an_earlier_run_has_finished_is_left_out()
    {
        using var job = new BatchJob();
        using var state = new TempFolder();
        for (var i = 0; i < 6; i++) job.Source.Add($"{i}", [1], Time);
        using (var journal = Open(state, resume: false))
        {
            await using var archives = job.Pack(new BatchPackOptions { ArchiveFiles = 3, Journal = journal });
            await using var unpacker = job.Unpack();
            var first = (await archives.NextAsync(default))!;
            first.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(first)), default));
            // This one arrives too, but nobody hears of it.
            var second = (await archives.NextAsync(default))!;
            await unpacker.ReceiveAsync(1, new MemoryStream(await BatchJob.WriteAsync(second)), default);
        }
        using (var journal = Open(state, resume: true))
        {
            var result = await job.CarryAsync(new BatchPackOptions { Journal = journal });
            Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((3, 3, 0)));
        }
        Assert.That(job.Target.Files, Has.Count.EqualTo(6));
    }

    [Test]
    public async Task What_was_not_carried_has_failed()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 6; i++) job.Source.Add($"{i}", [1], Time);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveFiles = 2 });
        var first = (await archives.NextAsync(default))!;
        await BatchJob.WriteAsync(first);
        var second = (await archives.NextAsync(default))!;
        second.Fail(new TransferException(TransferError.Quota, "full"));
        await archives.CompleteAsync(new TransferException(TransferError.Lost, "lost"));
        var result = archives.Tally.ToResult(default, 1);
        Assert.That(result.Files, Is.Zero);
        Assert.That(result.Failures.Count(failure => failure.Error!.Error == TransferError.Quota), Is.EqualTo(2));
        Assert.That(result.Failures.Count(failure => failure.Error!.Error == TransferError.Lost), Is.InRange(2, 4),
            "what the walk had found");
    }

    private static ItemJournal Open(TempFolder folder, bool resume) => ItemJournal.Open(
        folder["journal"], "send", resume, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);

    private static void Change(string path, string how)
    {
        switch (how)
        {
            case "grown":
                File.AppendAllText(path, "more");
                File.SetLastWriteTimeUtc(path, File.GetLastWriteTimeUtc(path).AddSeconds(1));
                break;
            case "shrunk":
                using (var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite)) file.SetLength(300_000);
                break;
            default:
                File.SetLastWriteTimeUtc(path, Time.UtcDateTime.AddMinutes(1));
                break;
        }
    }

    [Test]
    public async Task What_the_application_throws_comes_out_once_however_many_tell_it()
    {
        const int tellers = 4;
        var told = new Told();
        var results = new PackResults(new BatchPackOptions { Items = told });
        for (var i = 0; i < tellers; i++) results.Skip($"f{i}", SkipReason.Link);
        using var together = new Barrier(tellers);
        told.OnTold = () =>
        {
            // Time for the others to come.
            Thread.Sleep(50);
            throw new InvalidTimeZoneException();
        };
        var thrown = await Task.WhenAll(Enumerable.Range(0, tellers).Select(_ => Task.Factory.StartNew(() =>
        {
            together.SignalAndWait();
            try
            {
                results.ReportQueued();
                return 0;
            }
            catch (InvalidTimeZoneException)
            {
                return 1;
            }
        }, default, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        Assert.That((told.Results.Count, thrown.Sum()), Is.EqualTo((1, 1)));
    }

    /// <summary>Does something when the first frame is written.</summary>
    private sealed class Meddler(Action action) : MemoryStream
    {
        private Action? _action = action;

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _action?.Invoke();
            _action = null;
            await base.WriteAsync(buffer, cancellationToken);
        }
    }

    private sealed class Told : IProgress<ItemResult>
    {
        public List<ItemResult> Results { get; } = [];

        public Action OnTold { get; set; } = () => { };

        public void Report(ItemResult value)
        {
            Results.Add(value);
            OnTold();
        }
    }

    private static void AssertToldOnce(MemoryStream stream)
    {
        stream.Position = 0;
        using var reader = new System.Formats.Tar.TarReader(stream);
        var told = new HashSet<string> { string.Empty };
        var files = 0;
        while (reader.GetNextEntry() is { } entry)
        {
            var path = entry.Name.TrimEnd('/');
            Assert.That(Path.GetDirectoryName(path), Is.AnyOf([.. told]));
            if (entry.EntryType == System.Formats.Tar.TarEntryType.Directory) Assert.That(told.Add(path), Is.True, path);
            else files++;
        }
        Assert.That(files, Is.Positive);
    }
}
