using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Batch.Sealing;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Whatever happens to an archive on its way, nothing of it gets a name that is not what was sent.</summary>
public sealed class ArchiveFaultTests
{
    private const int FramesAt = 104 + 3 + 16 + 48;

    [TestCase(true)]
    [TestCase(false)]
    public async Task A_flipped_bit_anywhere_is_found(bool isSealed)
    {
        using var job = new BatchJob(isSealed);
        var archive = await job.SealAsync(new TarBuilder().Add("a", new string('x', 3000)).Add("b", "y").ToBytes());
        for (var at = 0; at < archive.Length; at++)
        {
            var changed = archive.ToArray();
            changed[at] ^= 0x10;
            await AssertRefusedAsync(job, changed, $"bit at {at}");
        }
    }

    [Test]
    public async Task Cut_off_anywhere_it_is_found()
    {
        using var job = new BatchJob();
        var archive = await job.SealAsync(new TarBuilder().Add("a", new string('x', 3000)).ToBytes());
        for (var length = 0; length < archive.Length; length++) await AssertRefusedAsync(job, archive[..length], $"{length} bytes");
        await AssertRefusedAsync(job, [.. archive, 0], "one more");
    }

    [Test]
    public async Task Frames_that_are_left_out_repeated_or_moved_are_found()
    {
        using var job = new BatchJob();
        var random = new Random(1);
        var content = new byte[20_000];
        random.NextBytes(content);
        var archive = await job.SealAsync(new TarBuilder().Add(new() { Path = "a", Type = 0, Length = content.Length }, content).ToBytes());
        var frames = Frames(archive);
        Assert.That(frames, Has.Count.GreaterThan(4));
        var header = archive[..FramesAt];
        await AssertRefusedAsync(job, Join(header, [.. frames[..1], .. frames[2..]]), "left out");
        await AssertRefusedAsync(job, Join(header, frames[..^1]), "the last left out");
        await AssertRefusedAsync(job, Join(header, [frames[0], frames[0], .. frames[1..]]), "repeated");
        await AssertRefusedAsync(job, Join(header, [frames[1], frames[0], .. frames[2..]]), "moved");
        await AssertRefusedAsync(job, Join(header, [.. frames, frames[^1]]), "the last repeated");
        await AssertRefusedAsync(job, Join(header, [frames[^1]]), "the last alone");
    }

    [Test]
    public async Task Frames_of_another_writing_of_the_same_archive_are_found()
    {
        using var job = new BatchJob();
        job.Source.Add("a", new byte[600_000]);
        new Random(1).NextBytes(job.Source.Read("a"));
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        var first = await BatchJob.WriteAsync(archive);
        var second = await BatchJob.WriteAsync(archive);
        Assert.That(second, Is.Not.EqualTo(first), "fresh salt");
        var (ours, others) = (Frames(first), Frames(second));
        await AssertRefusedAsync(job, Join(first[..FramesAt], [ours[0], .. others[1..]]), "mixed");
        await AssertRefusedAsync(job, Join(first[..FramesAt], others), "header of the first");
    }

    [Test]
    public async Task An_archive_of_another_job_or_number_is_refused()
    {
        using var job = new BatchJob();
        using var other = new BatchJob();
        var ours = await job.SealAsync(new TarBuilder().Add("a", "1").ToBytes());
        var theirs = await other.SealAsync(new TarBuilder().Add("b", "2").ToBytes(), index: 1);
        await using var unpacker = job.Unpack();
        await unpacker.ReceiveAsync(0, new MemoryStream(ours), default);
        Assert.That(async () => await unpacker.ReceiveAsync(1, new MemoryStream(theirs), default), Fails(TransferError.Integrity));
        await using var named = job.Unpack(new BatchUnpackOptions { Job = JobId.New() });
        Assert.That(async () => await named.ReceiveAsync(0, new MemoryStream(ours), default), Fails(TransferError.Integrity));
        Assert.That(async () => await unpacker.ReceiveAsync(7, new MemoryStream(ours), default), Fails(TransferError.Integrity));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a" }));
    }

    [Test]
    public async Task Another_key_opens_nothing()
    {
        using var job = new BatchJob();
        using var key = new SharedKey([.. Enumerable.Repeat((byte)1, SharedKey.Length)]);
        var archive = await job.SealAsync(new TarBuilder().Add("a", "1").ToBytes());
        await using var unpacker = new FolderUnpacker(job.Target.Path, new BatchUnpackOptions(), new KeyRing(key));
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(archive), default), Fails(TransferError.Auth));
    }

    [Test]
    public async Task What_is_not_sealed_is_taken_only_where_that_is_allowed()
    {
        using var job = new BatchJob(isSealed: false);
        var archive = await job.SealAsync(new TarBuilder().Add("a", "1").ToBytes());
        await using var unpacker = new FolderUnpacker(job.Target.Path, new BatchUnpackOptions(), new KeyRing());
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(archive), default), Fails(TransferError.Auth));
        // The flag alone does not make a sealed one pass for the other.
        using var other = new BatchJob();
        var stripped = await other.SealAsync(new TarBuilder().Add("a", "1").ToBytes());
        stripped[12] &= 0xFE;
        await using var lax = job.Unpack();
        Assert.That(async () => await lax.ReceiveAsync(0, new MemoryStream(stripped), default), Throws.InstanceOf<TransferException>());
        Assert.That(job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task A_broken_off_archive_leaves_nothing()
    {
        using var job = new BatchJob();
        job.Source.Add("a", new byte[300_000]);
        job.Source.Add("b", new byte[300_000]);
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var archive = (await archives.NextAsync(default))!;
        var bytes = await BatchJob.WriteAsync(archive);
        await using var unpacker = job.Unpack();
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(bytes[..400_000]), default),
            Fails(TransferError.Integrity));
        Assert.That(job.Target.Files, Is.Empty);
        // Carried once more, it is taken.
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "b" }));
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(2));
    }

    [Test]
    public async Task Carried_again_after_its_receipt_was_lost_it_is_confirmed_as_before()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1]);
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        await using var unpacker = job.Unpack();
        var first = await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default);
        var second = await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default);
        Assert.That((second.Files, second.Failures.Count), Is.EqualTo((1, 0)));
        Assert.That(second.Digest.ToArray(), Is.EqualTo(first.Digest.ToArray()), "what it names is what was published");
        archive.Confirm(second);
        archive.Confirm(first);
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(1), "once");
    }

    [Test]
    public async Task What_is_settled_is_not_remembered_and_what_is_not_is()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 10; i++) job.Source.Add($"{i}", new byte[10_000]);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 15_000 });
        await using var unpacker = job.Unpack();
        var written = await BatchJob.WriteAsync(archives);
        Assert.That(written, Has.Count.EqualTo(10));
        foreach (var (archive, bytes) in written)
        {
            unpacker.Forget(archive.Index);
            await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default);
            if (archive.Index > 2) unpacker.Forget(archive.Index);
        }
        Assert.That(unpacker.Remembered, Is.EqualTo(3));
        var again = await unpacker.ReceiveAsync(1, new MemoryStream(written[1].Bytes), default);
        Assert.That((again.Files, again.Failures.Count), Is.EqualTo((1, 0)));
        Assert.That(unpacker.Tally.ToResult(default, 1).Files, Is.EqualTo(10), "each once");
    }

    [Test]
    public async Task Also_by_a_receiver_that_was_started_anew()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1]);
        job.Source.Add("large", new byte[100_000]);
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 50_000 });
        await using var first = job.Unpack();
        var written = await BatchJob.WriteAsync(archives);
        foreach (var (archive, bytes) in written) await first.ReceiveAsync(archive.Index, new MemoryStream(bytes), default);
        await using var second = job.Unpack();
        foreach (var (archive, _) in written)
            archive.Confirm(await second.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(await second.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed), Is.EqualTo((2, 0)), "what is there is its own");
    }

    [Test]
    public async Task The_same_archive_over_two_lanes_is_published_once()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 50; i++) job.Source.Add($"{i}", [1]);
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        byte[][] writings = [await BatchJob.WriteAsync(archive), await BatchJob.WriteAsync(archive), await BatchJob.WriteAsync(archive)];
        await using var unpacker = job.Unpack();
        var receipts = await Task.WhenAll(
            writings.Select(bytes => Task.Run(() => unpacker.ReceiveAsync(0, new MemoryStream(bytes), default).AsTask())));
        Assert.That(receipts.Select(receipt => (receipt.Files, receipt.Failures.Count)), Is.All.EqualTo((50L, 0)));
        Assert.That(unpacker.Tally.ToResult(default, 1).Files, Is.EqualTo(50));
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
    }

    [Test]
    public async Task A_receipt_for_other_bytes_confirms_nothing()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1]);
        await using var archives = job.Pack();
        var archive = (await archives.NextAsync(default))!;
        await BatchJob.WriteAsync(archive);
        archive.Confirm(new(0, new byte[32], 1, []));
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed), Is.EqualTo((0, 1)));
        Assert.That(result.Failures[0].Error!.Error, Is.EqualTo(TransferError.Integrity));
    }

    private static NUnit.Framework.Constraints.IResolveConstraint Fails(TransferError error) =>
        Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(error);

    private static async Task AssertRefusedAsync(BatchJob job, byte[] archive, string what)
    {
        await using var unpacker = job.Unpack();
        Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(archive), default), Throws.InstanceOf<TransferException>(),
            what);
        Assert.That(job.Target.Files, Is.Empty, what);
    }

    private static List<byte[]> Frames(byte[] archive)
    {
        var frames = new List<byte[]>();
        for (var at = FramesAt; at < archive.Length;)
        {
            var head = FrameHead.Parse(archive.AsSpan(at, FrameHead.Length), 1 << ArchiveHeader.MostFrameBits);
            var length = FrameHead.Length + head.BodyLength + FrameSequence.TagLength;
            frames.Add(archive[at..(at + length)]);
            at += length;
        }
        return frames;
    }

    private static byte[] Join(byte[] header, IEnumerable<byte[]> frames) => [.. header, .. frames.SelectMany(frame => frame)];
}
