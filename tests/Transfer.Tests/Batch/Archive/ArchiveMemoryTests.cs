using Transfer.Batch;
using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Tests.Batch.Delta;

namespace Transfer.Tests.Batch.Archive;

/// <summary>What packing and unpacking hold in memory, over many lanes.</summary>
[Category(Categories.Slow)]
public sealed class ArchiveMemoryTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Test]
    public async Task Many_lanes_with_little_memory_pack_in_turns_and_never_hold_more([Values(false, true)] bool isTooLittleForOne)
    {
        using var job = new BatchJob();
        for (var i = 0; i < 64; i++) job.Source.Add($"{i}", Samples.Bytes(100_000, i));
        var buffers = new JobBuffers { Archives = new ByteBudget(isTooLittleForOne ? 1000 : 500_000), FrameBits = 14 };
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 150_000, Buffers = buffers });
        await using var unpacker = job.Unpack();
        var lanes = Enumerable.Range(0, 16).Select(_ => Task.Run(async () =>
        {
            while (await archives.NextAsync(default) is { } archive)
                archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        }));
        await Task.WhenAll(lanes).WaitAsync(Patience);
        await archives.CompleteAsync(null);
        var most = isTooLittleForOne ? buffers.Packing : 500_000;
        Assert.That(buffers.Archives.Used.Now, Is.Zero);
        Assert.That(buffers.Archives.Used.Peak, Is.GreaterThanOrEqualTo(buffers.Packing).And.LessThanOrEqualTo(most));
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(64));
    }

    [Test]
    public async Task Many_archives_at_once_are_unpacked_in_turns_and_their_files_made_safe_without_memory([Values(1000,
        3_000_000)] int bytes)
    {
        using var job = new BatchJob();
        for (var i = 0; i < 16; i++) job.Source.Add($"{i}", Samples.Bytes(200_000, i));
        await using var archives = job.Pack(new BatchPackOptions { ArchiveBytes = 200_000 });
        var written = await BatchJob.WriteAsync(archives);
        var budget = new ByteBudget(bytes);
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Buffers = budget, Durability = Durability.None });
        await Task.WhenAll(written.Select(one => unpacker.ReceiveAsync(one.Archive.Index, new MemoryStream(one.Bytes), default).AsTask()))
            .WaitAsync(Patience);
        Assert.That(unpacker.Tally.ToResult(default, 1).Files, Is.EqualTo(16));
        Assert.That(budget.Used.Now, Is.Zero);
        Assert.That(budget.Used.Peak, Is.GreaterThan(0).And.LessThan(bytes == 1000 ? 2_000_000 : bytes + 1));
    }

    [Test]
    public async Task What_was_read_to_its_end_holds_nothing_while_its_files_are_told_of()
    {
        using var job = new BatchJob();
        job.Source.Add("a", [1]);
        await using var archives = job.Pack();
        var (archive, bytes) = (await BatchJob.WriteAsync(archives)).Single();
        var budget = new ByteBudget(3_000_000);
        var held = new List<long>();
        await using var unpacker = job.Unpack(
            new BatchUnpackOptions { Buffers = budget, Durability = Durability.None, Items = new Told(_ => held.Add(budget.Used.Now)) });
        await unpacker.ReceiveAsync(archive.Index, new MemoryStream(bytes), default);
        Assert.That(held, Is.EqualTo(new[] { 0L }));
    }

    [Test]
    public async Task Who_is_cancelled_while_it_waits_for_memory_leaves_nothing_and_the_others_go_on()
    {
        using var job = new BatchJob();
        job.Source.Add("a", Samples.Bytes(1000));
        var buffers = new JobBuffers { Archives = new ByteBudget(3_000_000) };
        await using var archives = job.Pack(new BatchPackOptions { Buffers = buffers });
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Buffers = buffers.Archives, Durability = Durability.None });
        var archive = (await archives.NextAsync(default))!;
        var bytes = await BatchJob.WriteAsync(archive);
        using (await buffers.Archives.TakeAsync(3_000_000, default))
        {
            using var stop = new CancellationTokenSource();
            var packing = archive.WriteToAsync(Stream.Null, stop.Token).AsTask();
            var unpacking = unpacker.ReceiveAsync(0, new MemoryStream(bytes), stop.Token).AsTask();
            await stop.CancelAsync();
            Assert.That(async () => await packing.WaitAsync(Patience), Throws.InstanceOf<OperationCanceledException>());
            Assert.That(async () => await unpacking.WaitAsync(Patience), Throws.InstanceOf<OperationCanceledException>());
        }
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(bytes), default));
        Assert.That(await archives.NextAsync(default), Is.Null, "nobody packs any more");
        Assert.That((archives.Tally.ToResult(default, 1).Files, buffers.Archives.Used.Now), Is.EqualTo((1L, 0L)));
    }

    [Test]
    public async Task Instructions_are_counted_until_their_archive_is_confirmed_and_the_next_plan_waits_for_that()
    {
        using var job = new BatchJob();
        for (var i = 0; i < 6; i++)
        {
            var old = Samples.Bytes(100_000, i);
            job.Target.Add($"{i}", old);
            old[50_000]++;
            job.Source.Add($"{i}", old);
        }
        var buffers = new JobBuffers { Archives = JobBuffers.Unbounded.Archives, Steps = new ByteBudget(1) };
        await using var archives =
            job.Pack(new BatchPackOptions { ArchiveFiles = 1, Bases = new LocalInquiry(job.Target.Path), Buffers = buffers });
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Durability.None });
        var most = 0L;
        for (var left = 6; left > 0; left--)
        {
            var archive = (PackedArchive)(await archives.NextAsync(default).AsTask().WaitAsync(Patience))!;
            most = Math.Max(most, archive.Plan.StepBytes);
            Assert.That(buffers.Steps.Used.Now, Is.EqualTo(archive.Plan.StepBytes).And.GreaterThan(0));
            if (left % 2 == 0)
                archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
            else archive.Fail(new TransferException(TransferError.Lost, "It can't be carried."));
        }
        Assert.That(buffers.Steps.Used, Is.EqualTo((0L, most)), "never two at once");
    }

    [Test]
    public async Task A_file_for_whose_signature_there_is_no_memory_travels_whole_and_is_not_asked_for()
    {
        using var job = new BatchJob();
        job.Source.Add("large", Samples.Bytes(10_000_000));
        job.Target.Add("large", Samples.Bytes(10_000_000));
        job.Source.Add("small", Samples.Bytes(50_000));
        job.Target.Add("small", Samples.Bytes(50_000));
        var inquiry = new LocalInquiry(job.Target.Path);
        var buffers = JobBuffers.Unbounded with { Signatures = 64 << 10 };
        await using var archives = job.Pack(new BatchPackOptions { Bases = inquiry, Buffers = buffers });
        var written = await BatchJob.WriteAsync(archives);
        Assert.That(inquiry.Asked, Is.EqualTo(new[] { "small" }));
        Assert.That(written.Sum(one => one.Bytes.Length), Is.GreaterThan(10_000_000));
    }

    [TestCase(16L << 20, 8)]
    [TestCase(32L << 20, 64)]
    public async Task With_as_little_as_there_may_be_a_folder_arrives_as_it_is(long bytes, int sessions)
    {
        using var job = new BatchJob();
        for (var i = 0; i < 300; i++) job.Source.Add($"d{i % 7}/{i}", Samples.Bytes(i * 331, i));
        job.Source.Add("large", Samples.Bytes(20_000_000));
        job.Target.Add("large", [.. Samples.Bytes(10_000_000), .. Samples.Bytes(10_000_000, 2)]);
        var received = new BatchReceiverOptions
        {
            Listen = new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0),
            Overwrite = OverwriteMode.Always,
            MaxBufferBytes = 32 << 20
        };
        await using var receiver = BatchReceiver.Listen(job.Target.Path, received);
        await using var receiving = receiver.StartReceive();
        var sender = new BatchSender(receiver.Address, new BatchSenderOptions { Sessions = sessions, MaxBufferBytes = bytes });
        var result = await sender.SendAsync(job.Source.Path).WaitAsync(Patience);
        Assert.That((result.Files, result.Failed), Is.EqualTo((301L, 0L)));
        foreach (var file in job.Source.Files) Assert.That(job.Target.Read(file).AsSpan().SequenceEqual(job.Source.Read(file)), file);
    }

    [Test]
    public async Task Too_little_is_refused_and_it_is_said_how_much_it_takes()
    {
        using var folder = new TempFolder();
        using var key = SpoolKey.CreateShared();
        var address = new BatchAddress("h", 1, BatchToken.Create(new byte[32], new byte[32]));
        Refuse(16 << 20, () => new BatchSender(address, new BatchSenderOptions { MaxBufferBytes = (16 << 20) - 1 }));
        Refuse(32 << 20, () => new BatchSender(address, new BatchSenderOptions { MaxBufferBytes = (32 << 20) - 1, Sessions = 64 }));
        Refuse(32 << 20, () => BatchReceiver.Listen(folder.Path, new BatchReceiverOptions { MaxBufferBytes = (32 << 20) - 1 }));
        await using var client = new LocalTransferClient(new Uri(folder.Path));
        Refuse(16 << 20,
            () => new SpoolSender(client, "spool", key, new SpoolSenderOptions { StateFolder = folder.Path, MaxBufferBytes = -1 }));
        Refuse(32 << 20,
            () => new SpoolFetcher(client, "spool", "ann", key,
            new SpoolFetcherOptions { StateFolder = folder.Path, MaxBufferBytes = 0, Sessions = 64 }));

        static void Refuse(int least, Func<object> make) =>
            Assert.That(() => make(),
                Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains($"MaxBufferBytes must be {least} at least"));
    }

    private sealed class Told(Action<ItemResult> told) : IProgress<ItemResult>
    {
        public void Report(ItemResult value) => told(value);
    }
}
