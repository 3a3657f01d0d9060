using System.Security.Cryptography;
using Transfer.Batch;
using Transfer.Batch.Archive.Tar;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Carriers;

namespace Transfer.Tests.Batch.Delta;

/// <summary>Deltas in archives, at a receiver that has what they build on, or not.</summary>
public sealed class DeltaUnpackingTests
{
    private static readonly byte[] Old = Samples.Bytes(2048);
    private static readonly byte[] New = [.. Old.AsSpan(512), .. Old.AsSpan(0, 512)];

    // Blocks two to four, and then the first.
    private static readonly byte[] Steps = [0, 3, 2, 0, 1, 7];

    [TestCase(nameof(OverwriteMode.Always), 1, 0, 0)]
    [TestCase(nameof(OverwriteMode.Newer), 1, 0, 0)]
    [TestCase(nameof(OverwriteMode.Skip), 0, 1, 0)]
    [TestCase(nameof(OverwriteMode.Fail), 0, 0, 1)]
    public async Task What_is_there_becomes_the_new_version_where_it_may(string overwrite, int files, int skipped, int failed)
    {
        using var job = new BatchJob();
        job.Target.Add("a", Old, TarBuilder.Time.AddDays(-1));
        var (receipt, result) = await ReceiveAsync(job, Entry(), Steps, Enum.Parse<OverwriteMode>(overwrite));
        Assert.That((receipt.Files, receipt.Skipped.Count, receipt.Failures.Count), Is.EqualTo(((long)files, skipped, failed)));
        Assert.That((result.Files, result.Skipped, result.Failed), Is.EqualTo(((long)files, (long)skipped, (long)failed)));
        Same.Bytes(job.Target.Read("a"), files > 0 ? New : Old);
        if (failed > 0) Assert.That(receipt.Failures[0].Error, Is.EqualTo(TransferError.Exists));
        if (files == 0) return;
        Assert.That(File.GetLastWriteTimeUtc(job.Target["a"]), Is.EqualTo(TarBuilder.Time));
        Assert.That(result.Bytes, Is.EqualTo(New.Length), "of the file, not of what came");
    }

    [TestCase("absent")]
    [TestCase("a folder's fresh")]
    [TestCase("longer")]
    [TestCase("another")]
    [TestCase("a link")]
    [TestCase("bomb")]
    public async Task What_does_not_fit_is_wanted_whole_and_changes_nothing(string how)
    {
        if (how == "a link" && OperatingSystem.IsWindows()) Assert.Ignore("Links may not be made there.");
        using var job = new BatchJob();
        var entry = Entry();
        switch (how)
        {
            case "longer":
                job.Target.Add("a", [.. Old, 1]);
                break;
            case "another":
                job.Target.Add("a", Samples.Bytes(Old.Length, 2));
                break;
            case "a link":
                job.Target.Add("b", Old);
                File.CreateSymbolicLink(job.Target["a"], "b");
                break;
            case "a folder's fresh":
                entry = entry with { Path = "new/a" };
                break;
            case "bomb":
                job.Target.Add("a", Old);
                entry = entry with { Delta = entry.Delta!.Value with { Length = 1L << 40 } };
                break;
        }
        var before = job.Target.Files.Select(file => (file, Convert.ToHexString(job.Target.Read(file)))).ToList();
        var (receipt, result) = await ReceiveAsync(job, entry, Steps, OverwriteMode.Always);
        Assert.That(receipt.Failures.Single(),
            Has.Property("Path").EqualTo(entry.Path).And.Property("Error").EqualTo(TransferError.Integrity));
        Assert.That(job.Target.Files.Select(file => (file, Convert.ToHexString(job.Target.Read(file)))), Is.EqualTo(before));
        Assert.That(result.Failed, Is.Zero, "it comes again, and nobody is troubled");
    }

    // Each is within its own bound: all of them together would fill a disk with next to nothing.
    [TestCase(2 * 2048, 2)]
    [TestCase(2 * 2048 - 1, 1)]
    [TestCase(1, 1)]
    public async Task What_the_deltas_of_an_archive_make_together_is_bounded(int most, int made)
    {
        using var job = new BatchJob();
        var tar = new TarBuilder();
        foreach (var path in new[] { "a", "b", "c" })
        {
            job.Target.Add(path, Old);
            tar = tar.Add(Entry() with { Path = path }, Steps);
        }
        await using var unpacker =
            job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None, MostRebuilt = most });
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(await job.SealAsync(tar.ToBytes())), default);
        Assert.That((receipt.Files, receipt.Failures.Count), Is.EqualTo(((long)made, 3 - made)), "one of any length");
        Assert.That(receipt.Failures.Select(failure => failure.Error), Is.All.EqualTo(TransferError.Integrity), "which are wanted whole");
        Assert.That(job.Target.Files.Count(path => job.Target.Read(path).AsSpan().SequenceEqual(New)), Is.EqualTo(made));
    }

    [Test]
    public async Task Instructions_that_make_no_sense_fail_their_file_for_good_and_no_other()
    {
        using var job = new BatchJob();
        job.Target.Add("a", Old);
        var archive = await job.SealAsync(new TarBuilder().Add(Entry() with { Length = 3 }, [0, 9, 0]).Add("b", "content").ToBytes());
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None });
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        Assert.That(receipt.Failures.Single(), Has.Property("Path").EqualTo("a").And.Property("Error").EqualTo(TransferError.Protocol));
        Assert.That(receipt.Files, Is.EqualTo(1));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "b" }));
        Same.Bytes(job.Target.Read("a"), Old);
    }

    [Test]
    public async Task What_was_put_there_before_by_the_same_job_counts()
    {
        using var job = new BatchJob();
        job.Target.Add("a", New, TarBuilder.Time);
        var (receipt, _) = await ReceiveAsync(job, Entry(), Steps, OverwriteMode.Fail, isAgain: true);
        Assert.That((receipt.Files, receipt.Failures.Count), Is.EqualTo((1L, 0)));
    }

    [TestCase("TRANSFER.delta.block", "1")]
    [TestCase("TRANSFER.delta.block", "99999999999")]
    [TestCase("TRANSFER.delta.base", "-1")]
    [TestCase("TRANSFER.delta.base", "9000000000000000000")]
    [TestCase("TRANSFER.delta.length", "9000000000000000000")]
    [TestCase("TRANSFER.delta.sha256", "00")]
    [TestCase("TRANSFER.delta.sha256", "zz00000000000000000000000000000000000000000000000000000000000000")]
    [TestCase("TRANSFER.delta.sha256", null)]
    public void Headers_that_make_no_sense_are_refused(string key, string? value)
    {
        var records = new PaxRecords();
        foreach (var (name, good) in new[] { ("TRANSFER.delta.base", "2000"), ("TRANSFER.delta.block", "512"),
            ("TRANSFER.delta.length", "10"), ("TRANSFER.delta.sha256", new string('0', 64)) })
        {
            if (name != key) records.Read(Record(name, good));
        }
        Assert.That(
            () =>
            {
                if (value is not null) records.Read(Record(key, value));
                _ = records.Delta;
            },
            Throws.InstanceOf<TransferException>().With.Property("Error").EqualTo(TransferError.Protocol));
    }

    [TestCase("right", 1)]
    [TestCase("wrong", 0)]
    [TestCase("unused", 0)]
    [TestCase("none", 0)]
    [TestCase("done", 1)]
    public async Task Where_nobody_can_be_asked_the_whole_base_must_be_the_one_that_is_named(string how, int files)
    {
        using var job = new BatchJob();
        // Only blocks from the second on are used: the first one could be another.
        var meant = Old[512..];
        byte[] there = how == "unused" ? [(byte)(Old[0] ^ 1), .. Old[1..]] : how == "done" ? meant : Old;
        job.Target.Add("a", there);
        var entry = Entry() with { Length = 3 };
        entry = entry with
        {
            Delta = new TarDelta(Old.Length, 512, meant.Length, SHA256.HashData(meant),
                how == "none" ? null : SHA256.HashData(how == "wrong" ? New : Old))
        };
        byte[] steps = [0, 3, 2];
        var archive = await job.SealAsync(new TarBuilder().Add(entry, steps).ToBytes());
        await using var unpacker =
            job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None, IsOneWay = true });
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        var result = unpacker.Tally.ToResult(default, 1);
        Assert.That((receipt.Files, receipt.Failures.Count, result.Failed, receipt.Passing),
            Is.EqualTo(((long)files, 1 - files, 1L - files, (ArchiveFailure?)null)));
        Same.Bytes(job.Target.Read("a"), files > 0 ? meant : there);
        if (files == 0) Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Integrity));
    }

    [Test]
    public void Where_nobody_sends_it_whole_at_once_a_base_that_cannot_be_read_is_not_taken_for_another()
    {
        using var job = new BatchJob();
        var entry = Entry() with { Delta = Entry().Delta!.Value with { BaseHash = SHA256.HashData(Old) } };
        // As a folder can't be: whatever the system says, it may say something else later.
        var unreadable = Directory.CreateDirectory(job.Target["a"]).FullName;
        TransferException Fault(string path, bool isOneWay) =>
            Assert.Throws<TransferException>(() => DeltaRebuild.OpenBase(path, entry, isOneWay, default))!;
        var fault = Fault(unreadable, isOneWay: true);
        Assert.That((fault.Error == TransferError.Integrity, fault.InnerException is null), Is.EqualTo((false, false)));
        Assert.That(Fault(unreadable, isOneWay: false).Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Fault(unreadable + "x", isOneWay: true).Error, Is.EqualTo(TransferError.Integrity));
        Assert.That(Fault(Path.Combine(unreadable, "x", "y"), isOneWay: true).Error, Is.EqualTo(TransferError.Integrity));
    }

    private static byte[] Record(string key, string value)
    {
        var rest = $" {key}={value}\n";
        var length = rest.Length + 2;
        if (length > 99) length++;
        return System.Text.Encoding.ASCII.GetBytes(length + rest);
    }

    private static TarEntry Entry() => new()
    {
        Path = "a",
        Type = TarEntryType.File,
        Length = Steps.Length,
        Mode = (UnixFileMode)0b110_100_100,
        Modified = TarBuilder.Time,
        Delta = new TarDelta(Old.Length, 512, New.Length, SHA256.HashData(New)),
    };

    private static async Task<(ArchiveReceipt Receipt, JobResult Result)> ReceiveAsync(BatchJob job, TarEntry entry, byte[] body,
        OverwriteMode overwrite, bool isAgain = false)
    {
        var archive = await job.SealAsync(new TarBuilder().Add(entry, body).ToBytes(), isAgain: isAgain);
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = overwrite, Durability = Durability.None });
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(archive), default);
        await unpacker.CompleteAsync(default);
        return (receipt, unpacker.Tally.ToResult(default, 1));
    }
}
