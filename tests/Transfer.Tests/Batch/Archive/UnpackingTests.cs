using System.Runtime.Versioning;
using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;
using Transfer.Local;
using Transfer.Tests.Ftp.Protocol;

namespace Transfer.Tests.Batch.Archive;

[TestFixture("names")]
[TestFixture("no names")]
public sealed class UnpackingTests
{
    private static readonly DateTimeOffset Time = new(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);

    // A receiver's, and that of the job's files in slices.
    private const int Marks = 2;

    private readonly OpenFiles _places;

    /// <param name="before">What files have before they get their own, where the system lets it.</param>
    public UnpackingTests(string before) => _places = before == "names" ? new OpenFiles(0) : OpenFiles.OfProcess;

    [TestCase(nameof(OverwriteMode.Fail), "old", 0, 0, 2)]
    [TestCase(nameof(OverwriteMode.Skip), "old", 0, 2, 0)]
    [TestCase(nameof(OverwriteMode.Newer), "mixed", 1, 1, 0)]
    [TestCase(nameof(OverwriteMode.Always), "new", 2, 0, 0)]
    public async Task Files_that_exist_are_treated_as_is_said(string overwrite, string expected, int files, int skipped, int failed)
    {
        using var job = NewJob();
        job.Source.Add("a", "new"u8.ToArray(), Time);
        job.Source.Add("large", new byte[90_000], Time);
        job.Target.Add("a", "old"u8.ToArray(), Time.AddDays(expected == "mixed" ? 1 : -1));
        job.Target.Add("large", "old"u8.ToArray(), Time.AddDays(-1));
        var result = await job.CarryAsync(
            new BatchPackOptions { ArchiveBytes = 50_000 },
            new BatchUnpackOptions { Overwrite = Enum.Parse<OverwriteMode>(overwrite), Durability = Durability.None });
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo((files, skipped, failed)));
        Assert.That(job.Target.Read("a"), Is.EqualTo(expected == "new" ? "new"u8.ToArray() : "old"u8.ToArray()));
        Assert.That(job.Target.Read("large"), Has.Length.EqualTo(expected == "old" ? 3 : 90_000));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "large" }), "nothing else is left");
    }

    [Test]
    public async Task A_folder_in_a_files_place_stays()
    {
        using var job = NewJob();
        job.Source.Add("a", [1]);
        job.Target.Add("a/x", [2]);
        var result = await job.CarryAsync(unpack: new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Exists));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a/x" }));
    }

    [Test]
    public async Task A_file_that_came_meanwhile_is_not_replaced()
    {
        using var job = NewJob();
        job.Source.Add("a", new byte[400_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var archive = (await archives.NextAsync(default))!;
        var bytes = await BatchJob.WriteAsync(archive);
        await using var unpacker = job.Unpack();
        using var stream = new LateStream(bytes, () => job.Target.Add("a", "theirs"u8.ToArray()));
        var receipt = await unpacker.ReceiveAsync(0, stream, default);
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Exists));
        Assert.That(job.Target.Read("a"), Is.EqualTo("theirs"u8.ToArray()));
        Assert.That(job.Target.Files, Has.Count.EqualTo(1));
    }

    [Test]
    public async Task A_file_that_came_meanwhile_is_replaced_where_everything_is()
    {
        using var job = NewJob();
        job.Source.Add("a", new byte[400_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var bytes = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None });
        using var stream = new LateStream(bytes, () => job.Target.Add("a", "theirs"u8.ToArray()));
        Assert.That((await unpacker.ReceiveAsync(0, stream, default)).Failures, Is.Empty);
        Assert.That(job.Target.Read("a"), Is.EqualTo(new byte[400_000]));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a" }), "nothing else is left");
    }

    [TestCase(400_000, Description = "Whole.")]
    [TestCase(300_000, Description = "In slices.")]
    public async Task What_a_receiver_that_was_lost_has_published_meanwhile_counts_as_received(int most)
    {
        using var job = NewJob();
        var content = new byte[400_000];
        new Random(1).NextBytes(content);
        job.Source.Add("a", content, Time);
        if (!OperatingSystem.IsWindows()) File.CreateSymbolicLink(job.Source["link"], "a");
        void LostOnePublishes()
        {
            job.Target.Add("a", content, Time);
            // It may have come in the archive before.
            if (!OperatingSystem.IsWindows() && new FileInfo(job.Target["link"]).LinkTarget is null)
                File.CreateSymbolicLink(job.Target["link"], "a");
        }
        var receipts = await ReceiveAgainAsync(job,
            new BatchPackOptions { ArchiveBytes = most, MayBeRepeated = true, Links = LinkHandling.Copy }, LostOnePublishes);
        Assert.That(receipts.SelectMany(receipt => receipt.Failures.Select(failure => failure.Message)), Is.Empty);
        Assert.That(receipts.Sum(receipt => receipt.Files), Is.EqualTo(OperatingSystem.IsWindows() ? 1 : 2));
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files), "nothing else is left");
    }

    [TestCase(true, true, false, Description = "Another's, as long and as old.")]
    [TestCase(true, false, true, Description = "Of another time.")]
    [TestCase(false, true, true, Description = "Nobody was sent it before.")]
    public async Task Anothers_file_is_not_taken_for_that_of_a_receiver_that_was_lost(bool isAgain, bool sameTime, bool sameContent)
    {
        using var job = NewJob();
        var content = new byte[400_000];
        job.Source.Add("a", content, Time);
        byte[] theirs = [.. content];
        if (!sameContent) theirs[^1] = 1;
        var receipts = await ReceiveAgainAsync(job, new BatchPackOptions { MayBeRepeated = isAgain },
            () => job.Target.Add("a", theirs, sameTime ? Time : Time.AddSeconds(1)));
        Assert.That(receipts.Single().Failures.Single().Error, Is.EqualTo(TransferError.Exists));
        Assert.That((job.Target.Read("a").AsSpan().SequenceEqual(theirs), job.Target.Files.Count), Is.EqualTo((true, 1)));
    }

    // Its places are not looked at one by one: what comes to it is found when a file gets its name.
    [TestCase(nameof(OverwriteMode.Fail), "theirs", TransferError.Exists)]
    [TestCase(nameof(OverwriteMode.Skip), "theirs", null)]
    [TestCase(nameof(OverwriteMode.Newer), "theirs", null)]
    [TestCase(nameof(OverwriteMode.Always), "ours", null)]
    public async Task A_file_that_came_to_a_folder_which_was_empty_is_treated_as_is_said(string overwrite, string expected,
        TransferError? error)
    {
        using var job = NewJob();
        Directory.CreateDirectory(job.Target.Path);
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = Enum.Parse<OverwriteMode>(overwrite) });
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("first", "ours"));
        job.Target.Add("second", "theirs"u8.ToArray(), new DateTimeOffset(TarBuilder.Time.AddDays(1)));
        var receipt = await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("second", "ours").Add("third", "ours"));
        Assert.That(receipt.Failures.Select(failure => (TransferError?)failure.Error), Is.EqualTo(error is null ? [] : new[] { error }));
        Assert.That(System.Text.Encoding.ASCII.GetString(job.Target.Read("second")), Is.EqualTo(expected));
        await unpacker.CompleteAsync(default);
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "first", "second", "third" }), "nothing else is left");
    }

    [Test]
    public async Task A_link_replaces_what_came_to_a_folder_which_was_empty()
    {
        using var job = NewJob();
        Directory.CreateDirectory(job.Target.Path);
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("first", "ours"));
        job.Target.Add("second", "theirs"u8.ToArray());
        var receipt = await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("second", type: TarEntryType.Link, link: "first"));
        Assert.That(receipt.Failures, Is.Empty);
        Assert.That(new FileInfo(job.Target["second"]).LinkTarget, Is.EqualTo("first"));
    }

    // What is under a temporary name replaces in one step whatever came. Of what has no name it is found out first, and that one file is
    // flushed then.
    [Test]
    [Platform("Linux")]
    public async Task What_can_replace_something_unseen_is_on_the_disk_before()
    {
        using var job = NewJob();
        Directory.CreateDirectory(job.Target.Path);
        var log = new LogRecorder();
        await using var unpacker =
            job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.FileSystem, Logger = log });
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("a", "ours"));
        await unpacker.CompleteAsync(default);
        Assert.That(log.Lines,
            Has.Some.Contains(_places == OpenFiles.OfProcess ? ": 1 times whole file systems" : ": 2 times whole file systems"));
    }

    // Two lanes name files in the same folders, whichever of them is first.
    [Test]
    public async Task Archives_that_come_at_once_and_share_their_folders_are_all_unpacked()
    {
        const int Archives = 8;
        using var job = NewJob();
        await using var unpacker = job.Unpack();
        var tars = Enumerable.Range(0, Archives).Select(archive => Enumerable.Range(0, 60).Aggregate(
            new TarBuilder(), (tar, file) => tar.Add($"{(file + archive) % 3}/{archive}-{file}", "x"))).ToList();
        var receipts = await Task.WhenAll(tars.Select((tar, index) => Task.Run(() => ReceiveAsync(job, unpacker, index, tar))));
        Assert.That(receipts.SelectMany(receipt => receipt.Failures), Is.Empty);
        Assert.That(receipts.Sum(receipt => receipt.Files), Is.EqualTo(Archives * 60));
        await unpacker.CompleteAsync(default);
        Assert.That(job.Target.Files, Has.Count.EqualTo(Archives * 60));
    }

    [Test]
    public async Task Nothing_can_be_seen_before_the_archive_is_whole()
    {
        using var job = NewJob();
        job.Source.Add("a", [1]);
        job.Source.Add("b", new byte[400_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var bytes = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
        await using var unpacker = job.Unpack();
        IReadOnlyList<string> seen = [];
        using var stream = new LateStream(bytes, () => seen = job.Target.Files);
        await unpacker.ReceiveAsync(0, stream, default);
        var isNamed = _places.Most == 0 || !UnnamedFile.IsSupported;
        Assert.That(seen, isNamed ? Has.Count.GreaterThan(Marks) : Has.Count.EqualTo(Marks));
        Assert.That(seen, Is.All.StartsWith(".transfer-"));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "b" }));
    }

    [Test]
    public async Task Cancelled_it_leaves_nothing()
    {
        using var job = NewJob();
        job.Source.Add("a", new byte[400_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var bytes = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
        await using var unpacker = job.Unpack();
        using var cancel = new CancellationTokenSource();
        using var stream = new LateStream(bytes, cancel.Cancel);
        Assert.That(async () => await unpacker.ReceiveAsync(0, stream, cancel.Token), Throws.InstanceOf<OperationCanceledException>());
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task A_file_that_is_too_long_for_the_file_system_fails_alone()
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("Other systems have other limits.");
        using var job = NewJob(onDisk: true);
        var archive =
            await job.SealAsync(new TarBuilder().Add("a", "x").Add("large", "0123", slice: new(1, (1L << 60) - 4, 1L << 60)).ToBytes());
        await using var unpacker = job.Unpack();
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        Assert.That(receipt.Failures.Single().Path, Is.EqualTo("large"));
        Assert.That(receipt.Failures.Single().Error, Is.EqualTo(TransferError.Unsupported));
        await unpacker.CompleteAsync(default);
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a" }));
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public async Task A_folder_that_may_not_be_written_to_fails_what_is_in_it()
    {
        if (Environment.IsPrivilegedProcess) Assert.Ignore("Everything may be written to.");
        using var job = NewJob();
        job.Source.Add("closed/a", [1]);
        job.Source.Add("open/b", [1]);
        Directory.CreateDirectory(job.Target["closed"]);
        File.SetUnixFileMode(job.Target["closed"], UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var result = await job.CarryAsync();
        Assert.That((result.Files, result.Failed), Is.EqualTo((1, 1)));
        Assert.That(result.Failures[0].Error!.Error, Is.EqualTo(TransferError.Denied));
    }

    [Test]
    public async Task Spoilt_entries_get_no_name()
    {
        using var job = NewJob();
        var archive = await job.SealAsync(new TarBuilder().Add("a", "1").Add("b", "2").Spoil(1).Add("c", "3").ToBytes());
        await using var unpacker = job.Unpack();
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        Assert.That((receipt.Files, receipt.Failures.Count), Is.EqualTo((2, 0)));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "c" }));
        var wrong = await job.SealAsync(new TarBuilder().Add("d", "1").Spoil(1).ToBytes(), index: 1);
        Assert.That(async () => await unpacker.ReceiveAsync(1, new MemoryStream(wrong), default), Throws.InstanceOf<TransferException>());
    }

    [Test]
    [Platform(Exclude = "Win")]
    [UnsupportedOSPlatform("windows")]
    public async Task Permissions_are_kept_of_what_is_replaced_where_those_of_the_source_are_not_wanted()
    {
        using var job = NewJob();
        File.SetUnixFileMode(job.Source.Add("a", "new"u8.ToArray()), (UnixFileMode)0b111_111_111);
        File.SetUnixFileMode(job.Target.Add("a", "old"u8.ToArray()), (UnixFileMode)0b110_000_000);
        await job.CarryAsync(unpack: new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        Assert.That(job.Target.Read("a"), Is.EqualTo("new"u8.ToArray()));
        Assert.That(File.GetUnixFileMode(job.Target["a"]), Is.EqualTo((UnixFileMode)0b110_000_000));
    }

    [Test]
    public async Task A_file_in_slices_that_was_deleted_meanwhile_is_not_given_its_name()
    {
        using var job = NewJob();
        await using var unpacker = job.Unpack();
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("large", "0123", slice: new(1, 0, 8)));
        File.Delete(job.Target[job.Target.Files.Single(name => !TemporaryNames.IsMark(name))]);
        var receipt = await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("large", "4567", slice: new(1, 4, 8)));
        Assert.That((receipt.Files, receipt.Failures.Single().Error), Is.EqualTo((0, TransferError.NotFound)));
        Assert.That(await unpacker.CompleteAsync(default), Has.Count.EqualTo(1));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_file_in_slices_that_is_sent_again_is_told_of_once(bool isWhole)
    {
        using var job = NewJob();
        var told = new Told();
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Durability = Durability.None, Items = told });
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("large", "old!", slice: new(1, 0, 8)));
        await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("large", "old?", slice: new(1, 4, 8)).Spoil(0));
        if (isWhole)
        {
            await ReceiveAsync(job, unpacker, 2, new TarBuilder().Add("large", "new"));
        }
        else
        {
            await ReceiveAsync(job, unpacker, 2, new TarBuilder().Add("large", "new", slice: new(2, 0, 6)));
            Assert.That(unpacker.Unfinished, Has.Count.EqualTo(2));
            await ReceiveAsync(job, unpacker, 3, new TarBuilder().Add("large", "new", slice: new(2, 3, 6)));
        }
        Assert.That(unpacker.Unfinished, Is.Empty);
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "large" }), "what was of the first is gone at once");
        // Over another lane, a late one of the first.
        var late = await ReceiveAsync(job, unpacker, 4, new TarBuilder().Add("large", "late", slice: new(1, 4, 8)));
        Assert.That(late.Failures, Is.Empty);
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        Assert.That(told.All.Select(item => (item.Path, item.Error)), Is.EqualTo(new[] { ("large", (TransferException?)null) }));
        Assert.That(job.Target.Read("large"), Is.EqualTo(isWhole ? "new"u8.ToArray() : "newnew"u8.ToArray()));
    }

    [Test]
    public async Task One_that_is_sent_again_and_does_not_come_whole_is_told_of_once_too()
    {
        using var job = NewJob();
        await using var unpacker = job.Unpack();
        await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("large", "old!", slice: new(1, 0, 8)));
        await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("large", "new", slice: new(2, 0, 6)));
        Assert.That((await unpacker.CompleteAsync(default)).Select(failure => failure.Path), Is.EqualTo(new[] { "large" }));
        Assert.That(job.Target.Files, Is.Empty);
    }

    [TestCase(0, "old")]
    [TestCase(1000, "old")]
    [TestCase(1500, "new")]
    [TestCase(5000, "new")]
    public async Task What_comes_again_is_there_already_only_where_its_time_is_the_same(int later, string expected)
    {
        using var job = NewJob();
        job.Target.Add("a", "old"u8.ToArray(), new DateTimeOffset(TarBuilder.Time.AddMilliseconds(later)));
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always });
        var archive = await job.SealAsync(new TarBuilder().Add("a", "new").ToBytes(), isAgain: true);
        await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        Assert.That(System.Text.Encoding.ASCII.GetString(job.Target.Read("a")), Is.EqualTo(expected),
            "a coarse file system may have rounded a whole second, and no other");
    }

    [Test]
    public async Task Every_item_is_told_of()
    {
        using var job = NewJob();
        job.Source.Add("a", [1]);
        job.Source.Add("b", [1]);
        job.Target.Add("b", [2]);
        var (sent, received) = (new Told(), new Told());
        await job.CarryAsync(new BatchPackOptions { Items = sent }, new BatchUnpackOptions { Items = received });
        foreach (var items in new[] { sent, received })
        {
            Assert.That(items.All.Select(item => item.Path).Order(), Is.EqualTo(new[] { "a", "b" }));
            Assert.That(items.All.Single(item => item.Error is not null).Error!.Error, Is.EqualTo(TransferError.Exists));
        }
    }

    private BatchJob NewJob(bool onDisk = false) => new(onDisk: onDisk) { Places = _places };

    // Something happens while the last archive is being unpacked.
    private static async Task<List<ArchiveReceipt>> ReceiveAgainAsync(BatchJob job, BatchPackOptions pack, Action late)
    {
        await using var archives = job.Pack(pack with { Compress = false });
        await using var unpacker = job.Unpack();
        var written = await BatchJob.WriteAsync(archives);
        var receipts = new List<ArchiveReceipt>();
        foreach (var (archive, bytes) in written)
        {
            using var stream = archive == written[^1].Archive ? new LateStream(bytes, late) : new MemoryStream(bytes);
            receipts.Add(await unpacker.ReceiveAsync(archive.Index, stream, default));
        }
        return receipts;
    }

    private static async Task<ArchiveReceipt> ReceiveAsync(BatchJob job, FolderUnpacker unpacker, long index, TarBuilder tar) =>
        await unpacker.ReceiveAsync(index, new MemoryStream(await job.SealAsync(tar.ToBytes(), index)), default);

    private sealed class Told : IProgress<ItemResult>
    {
        public List<ItemResult> All { get; } = [];

        public void Report(ItemResult value) => All.Add(value);
    }
}
