using Transfer.Batch;
using Transfer.Batch.Archive.Delta;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;

namespace Transfer.Tests.Batch.Delta;

/// <summary>A folder that is packed for a receiver who has most of it.</summary>
[Category(Categories.Slow)]
public sealed class DeltaPackingTests
{
    private static readonly DateTimeOffset Time = new(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);

    [Test]
    public async Task What_has_changed_travels_and_small_files_and_new_ones_do_as_ever()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 20; i++) Change(job, $"d{i % 3}/f{i}", 60_000 + i, i);
        job.Source.Add("small", Samples.Bytes(BlockShape.LeastLength - 1), Time);
        job.Target.Add("small", Samples.Bytes(BlockShape.LeastLength - 1), Time);
        job.Source.Add("new", Samples.Bytes(30_000), Time);
        var inquiry = new LocalInquiry(job.Target.Path);
        var (result, bytes) = await CarryAsync(job, inquiry);
        Assert.That(inquiry.Asked, Has.Count.EqualTo(21).And.No.Member("small"));
        Assert.That((result.Files, result.Failed), Is.EqualTo((22L, 0L)));
        Assert.That(result.Bytes, Is.EqualTo(job.Source.Files.Sum(file => job.Source.Read(file).LongLength)), "content, not what traveled");
        Assert.That(bytes, Is.LessThan(30_000 + BlockShape.LeastLength + (20 * 1500)));
        AssertSame(job);
    }

    [Test]
    public async Task A_file_larger_than_an_archive_is_one_delta()
    {
        using var job = new BatchJob();
        Change(job, "large", 3_000_000, 1);
        var (result, bytes) = await CarryAsync(job, new LocalInquiry(job.Target.Path), new BatchPackOptions { ArchiveBytes = 100_000 });
        Assert.That((result.Files, result.Bytes), Is.EqualTo((1L, (long)job.Source.Read("large").Length)));
        Assert.That(bytes, Is.LessThan(10_000));
        AssertSame(job);
    }

    [TestCase(0)]
    [TestCase(100_000)]
    public async Task One_that_gains_nothing_or_too_little_travels_whole(int most)
    {
        using var job = new BatchJob();
        job.Source.Add("a", Samples.Bytes(500_000), Time);
        job.Target.Add("a", most == 0 ? Samples.Bytes(500_000, 2) : [.. Samples.Bytes(300_000), .. new byte[200_000]], Time);
        var (result, bytes) = await CarryAsync(job, new LocalInquiry(job.Target.Path),
            new BatchPackOptions { ArchiveBytes = 100_000, DeltaBytes = most == 0 ? int.MaxValue : most });
        Assert.That((result.Files, result.Failed), Is.EqualTo((1L, 0L)));
        Assert.That(bytes, Is.GreaterThan(500_000));
        AssertSame(job);
    }

    [Test]
    public async Task Nobody_is_asked_where_nothing_was()
    {
        using var job = new BatchJob();
        job.Source.Add("a", Samples.Bytes(50_000), Time);
        var inquiry = new LocalInquiry(job.Target.Path);
        await CarryAsync(job, inquiry);
        Assert.That(inquiry.Asked, Is.Empty);
        AssertSame(job);
    }

    [TestCase(nameof(OverwriteMode.Skip), 0L, 2L, 0L)]
    [TestCase(nameof(OverwriteMode.Newer), 1L, 1L, 0L)]
    [TestCase(nameof(OverwriteMode.Fail), 0L, 0L, 2L)]
    public async Task What_would_be_left_as_it_is_does_not_travel(string overwrite, long files, long skipped, long failed)
    {
        using var job = new BatchJob();
        Change(job, "a", 400_000, 1);
        Change(job, "large", 900_000, 2);
        File.SetLastWriteTimeUtc(job.Target["large"], Time.UtcDateTime.AddYears(1));
        var rule = Enum.Parse<OverwriteMode>(overwrite);
        var old = job.Target.Read("large");
        var (result, bytes) = await CarryAsync(job, new LocalInquiry(job.Target.Path, rule),
            new BatchPackOptions { ArchiveBytes = 500_000 }, rule);
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((files, skipped, failed)));
        Assert.That(result.Failures.Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Exists));
        Assert.That(bytes, Is.LessThan(10_000));
        Same.Bytes(job.Target.Read("large"), old);
    }

    [TestCase("changed")]
    [TestCase("gone")]
    [TestCase("left, and gone then")]
    public async Task What_the_receiver_has_not_any_more_goes_whole(string how)
    {
        using var job = new BatchJob();
        Change(job, "a", 400_000, 1);
        Change(job, "b", 100_000, 1);
        var rule = how.StartsWith("left", StringComparison.Ordinal) ? OverwriteMode.Skip : OverwriteMode.Always;
        var inquiry = new LocalInquiry(job.Target.Path, rule);
        inquiry.OnAnswered = path =>
        {
            if (path != "a") return;
            if (how == "changed") job.Target.Add("a", Samples.Bytes(400_000, 9), Time);
            else File.Delete(job.Target["a"]);
        };
        var counted = new Counted();
        await using (var progress = new ProgressReporter(counted, TimeProvider.System, _ => { }))
        {
            var (result, _) = await CarryAsync(job, inquiry, new BatchPackOptions { ArchiveBytes = 150_000, Progress = progress }, rule);
            Assert.That((result.Files, result.Failed), Is.EqualTo((rule == OverwriteMode.Skip ? 1L : 2L, 0L)));
        }
        Same.Bytes(job.Target.Read("a"), job.Source.Read("a"));
        if (rule == OverwriteMode.Always)
        {
            Assert.That((counted.Last.Bytes, counted.Last.TotalBytes), Is.EqualTo((500_200L, (long?)500_200L)),
                "what did not count was taken back");
        }
    }

    [TestCase("before it is compared")]
    [TestCase("before it is packed")]
    [TestCase("unseen")]
    [TestCase("while it is packed")]
    public async Task A_source_that_changes_meanwhile_arrives_as_it_is_then(string when)
    {
        using var job = new BatchJob();
        Change(job, "a", 400_000, 1);
        // More than a frame is new, so that packing takes its time.
        if (when == "while it is packed") job.Source.Add("a", [.. job.Source.Read("a"), .. Samples.Bytes(2_500_000, 3)], Time);
        var inquiry = new LocalInquiry(job.Target.Path);
        var now = Samples.Bytes(399_000, 7);
        var archives = 0L;
        inquiry.OnAnswered = _ =>
        {
            if (when == "before it is compared") job.Source.Add("a", now, Time.AddDays(1));
        };
        var (result, _) = await CarryAsync(job, inquiry, onArchive: index =>
        {
            archives++;
            if (index > 0) return;
            if (when == "before it is packed") job.Source.Add("a", now, Time.AddDays(1));
            if (when == "unseen")
            {
                // The same length and time, in what is read when it is packed: only the hash knows.
                now = job.Source.Read("a");
                now[200_050] ^= 1;
                job.Source.Add("a", now, Time);
            }
        }, onWritten: index =>
        {
            if (index == 0 && when == "while it is packed") job.Source.Add("a", now, Time.AddDays(1));
        });
        Assert.That((result.Files, result.Failed, archives), Is.EqualTo((1L, 0L, when == "before it is compared" ? 1L : 2L)));
        AssertSame(job);
    }

    [Test]
    public async Task A_job_goes_on_with_deltas_where_it_was_broken_off()
    {
        using var job = new BatchJob();
        using var state = new TempFolder();
        for (var i = 0; i < 6; i++) Change(job, $"{i}", 80_000, i);
        var inquiry = new LocalInquiry(job.Target.Path);
        var unpack = new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None };
        using (var journal = Open(state, resume: false))
        {
            await using var archives = job.Pack(new BatchPackOptions { ArchiveFiles = 2, Journal = journal, Bases = inquiry });
            await using var unpacker = job.Unpack(unpack);
            var first = (await archives.NextAsync(default))!;
            first.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(first)), default));
            // This one arrives too, but nobody hears of it: its files are there in their new version.
            var second = (await archives.NextAsync(default))!;
            await unpacker.ReceiveAsync(1, new MemoryStream(await BatchJob.WriteAsync(second)), default);
        }
        using (var journal = Open(state, resume: true))
        {
            var (result, bytes) = await CarryAsync(job, new LocalInquiry(job.Target.Path), new BatchPackOptions { Journal = journal });
            Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((4L, 2L, 0L)));
            Assert.That(bytes, Is.LessThan(10_000));
        }
        AssertSame(job);
    }

    [Test]
    public async Task Many_deltas_share_an_archive_and_few_do_not_make_it_endless()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 40; i++) Change(job, $"{i}", 50_000, i);
        var archives = 0;
        await CarryAsync(job, new LocalInquiry(job.Target.Path), new BatchPackOptions { ArchiveBytes = 100_000 },
            onArchive: _ => archives++);
        Assert.That(archives, Is.InRange(2_000_000 / 8 / 100_000, 7));
        AssertSame(job);
    }

    // A receiver that is asked for what is not its to tell.
    [TestCase("../outside")]
    [TestCase("a/../../outside")]
    [TestCase("/etc/passwd")]
    [TestCase("link/secret")]
    [TestCase("link")]
    [TestCase("")]
    [TestCase("a//b")]
    [TestCase("nul\0byte")]
    [TestCase(".transfer-0123456789abcdef-1.part")]
    [TestCase("pipe")]
    public void Nothing_is_told_of_what_could_not_be_written(string path)
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links may not be made there.");
        using var outer = new TempFolder();
        outer.Add("outside", new byte[20_000]);
        outer.Add("elsewhere/secret", new byte[20_000]);
        outer.Add("in/a/b", new byte[20_000]);
        outer.Add("in/.transfer-0123456789abcdef-1.part", new byte[20_000]);
        Directory.CreateSymbolicLink(outer["in/link"], "../elsewhere");
        outer.AddPipe("in/pipe");
        var bases = FolderBases.Of(outer["in"], OverwriteMode.Always)!;
        using var found = bases.Find(path, 20_000, 0);
        Assert.That(found.HasBlocks, Is.False);
        using var good = bases.Find("a/b", 20_000, 0);
        Assert.That(good.HasBlocks, Is.True);
        Assert.That(bases.Find("a/b", 1_000_000, 0).HasBlocks, Is.False, "far too short");
        Assert.That(bases.Find("a/b", 20_000, long.MaxValue).HasBlocks, Is.False);
        Assert.That(Directory.GetFileSystemEntries(outer["in"]), Has.Length.EqualTo(4), "nothing was made");
    }

    [Test]
    public void A_large_file_is_told_of_in_parts_that_do_not_take_long()
    {
        using var folder = new TempFolder();
        const long Length = 512L << 20;
        using (var sparse = File.OpenHandle(folder["large"], FileMode.CreateNew, FileAccess.Write)) RandomAccess.SetLength(sparse, Length);
        using var file = BaseFile.Of(File.OpenHandle(folder["large"]), Length);
        var blocks = new byte[BaseFile.BufferFor(file.Shape)];
        var part = file.Read(new byte[1 << 20], blocks, default);
        Assert.That((long)part / file.Shape.EntryLength * file.Shape.Block, Is.EqualTo(64L << 20));
        Assert.That(blocks, Has.Length.EqualTo(128 << 10));
        using var small = BaseFile.Of(File.OpenHandle(folder["large"]), 100_000);
        Assert.That(small.Read(new byte[1 << 20], blocks, default), Is.EqualTo(small.Shape.SignatureLength));
    }

    private static void Change(BatchJob job, string path, int length, int seed)
    {
        var old = Samples.Bytes(length, seed);
        job.Target.Add(path, old, Time.AddDays(-1));
        job.Source.Add(path, [.. old.AsSpan(0, length / 2), .. Samples.Bytes(100, seed + 1000), .. old.AsSpan(length / 2)], Time);
    }

    private static async Task<(JobResult Result, long Bytes)> CarryAsync(
        BatchJob job, LocalInquiry inquiry, BatchPackOptions? pack = null, OverwriteMode overwrite = OverwriteMode.Always,
        Action<long>? onArchive = null, Action<long>? onWritten = null)
    {
        await using var archives = job.Pack((pack ?? new BatchPackOptions()) with { Bases = inquiry });
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = overwrite, Durability = Durability.None });
        long bytes = 0;
        while (await archives.NextAsync(default) is { } archive)
        {
            onArchive?.Invoke(archive.Index);
            using var stream = new Written(() => onWritten?.Invoke(archive.Index));
            await archive.WriteToAsync(stream, default);
            bytes += stream.Length;
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(stream.ToArray()), default));
        }
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        var (sent, received) = (archives.Tally.ToResult(default, 1), unpacker.Tally.ToResult(default, 1));
        Assert.That((received.Files, received.Failed), Is.EqualTo((sent.Files, sent.Failed)), "both know the same");
        return (sent, bytes);
    }

    private static void AssertSame(BatchJob job)
    {
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
        foreach (var file in job.Source.Files)
        {
            Assert.That(job.Target.Read(file).AsSpan().SequenceEqual(job.Source.Read(file)), file);
            Assert.That(File.GetLastWriteTimeUtc(job.Target[file]), Is.EqualTo(File.GetLastWriteTimeUtc(job.Source[file])), file);
        }
    }

    private static ItemJournal Open(TempFolder folder, bool resume) => ItemJournal.Open(
        folder["journal"], "send", resume, Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance);

    private sealed class Written(Action action) : MemoryStream
    {
        private bool _done;

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (!_done) action();
            _done = true;
            return base.WriteAsync(buffer, cancellationToken);
        }
    }

    private sealed class Counted : IProgress<TransferProgress>
    {
        public TransferProgress Last { get; private set; }

        public void Report(TransferProgress value) => Last = value;
    }
}
