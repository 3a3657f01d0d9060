using Transfer.Batch.Archive.Format;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Carriers;

namespace Transfer.Tests.Batch.Archive;

/// <summary>A packer that is to begin nothing more.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class PackingFinishTests : IDisposable
{
    private readonly BatchJob _job = new();
    private readonly CancellationTokenSource _finish = new();
    private readonly Collected<ItemResult> _items = new();

    private BatchPackOptions Options => new() { Finish = _finish.Token, Items = _items, Compress = false };

    public void Dispose()
    {
        _finish.Dispose();
        _job.Dispose();
    }

    [Test]
    public async Task An_archive_ends_with_the_file_that_it_has_come_to()
    {
        for (var i = 0; i < 30; i++) _job.Source.Add($"d{i % 3}/f{i}", Samples.Bytes(100_000, i));
        await using var archives = _job.Pack(Options);
        var archive = (PackedArchive)(await archives.NextAsync(default))!;
        Assert.That(archive.Plan.Items.Count(item => item.Length > 0), Is.EqualTo(30));
        using var stream = new Finishing(_finish, 500_000);
        var payload = new PlainPayload(stream);
        await archive.WritePlainAsync(payload, new MetFolders(), default);
        await ArchivePacker.EndAsync(payload, default);
        Assert.That(stream.Length, Is.InRange(500_000, 1_500_000));
        archive.Confirm(new ArchiveReceipt(archive.Index, default, 0, []));
        Assert.That(await archives.NextAsync(default), Is.Null);
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed, archives.HasPostponed), Is.EqualTo((stream.Length / 100_000, 0L, true)));
        Assert.That(_items.Values.Select(item => item.Error), Is.EqualTo(Enumerable.Repeat<TransferException?>(null, (int)result.Files)));
    }

    [Test]
    public async Task Of_a_file_in_slices_that_was_begun_the_others_follow_and_nothing_else()
    {
        _job.Source.Add("large", Samples.Bytes(450_000));
        for (var i = 0; i < 30; i++) _job.Source.Add($"d{i}/f", Samples.Bytes(20_000, i));
        await using var archives = _job.Pack(Options with { ArchiveBytes = 100_000 });
        await using var unpacker = _job.Unpack();
        var written = 0;
        while (await archives.NextAsync(default) is { } archive)
        {
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
            if (++written == 1) await _finish.CancelAsync();
        }
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((written, result.Files, result.Failed, archives.HasPostponed), Is.EqualTo((5, 1L, 0L, true)));
        Assert.That(_job.Target.Files, Is.EqualTo(new[] { "large" }));
        Same.Bytes(_job.Target.Read("large"), _job.Source.Read("large"));
    }

    [Test]
    public async Task A_file_in_slices_of_which_none_was_begun_is_left_out_with_all_of_them()
    {
        _job.Source.Add("large", Samples.Bytes(450_000));
        await using var archives = _job.Pack(Options with { ArchiveBytes = 100_000 });
        await using var unpacker = _job.Unpack();
        var taken = new[] { (await archives.NextAsync(default))!, (await archives.NextAsync(default))! };
        await _finish.CancelAsync();
        Assert.That(await archives.NextAsync(default).Soon(), Is.Null);
        foreach (var archive in taken.Reverse())
            archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(await unpacker.CompleteAsync(default), Is.Empty);
        await archives.CompleteAsync(null);
        var result = archives.Tally.ToResult(default, 1);
        Assert.That((result.Files, result.Failed, archives.HasPostponed, _items.Values.Count), Is.EqualTo((0L, 0L, true, 0)));
        Assert.That(_job.Target.Files, Is.Empty);
    }

    [Test]
    public async Task What_was_lost_with_its_connection_is_packed_again()
    {
        for (var i = 0; i < 3; i++) _job.Source.Add($"f{i}", [1, 2]);
        await using var archives = _job.Pack(Options);
        await using var unpacker = _job.Unpack();
        var archive = (await archives.NextAsync(default))!;
        await BatchJob.WriteAsync(archive);
        await _finish.CancelAsync();
        archive.Confirm(await unpacker.ReceiveAsync(archive.Index, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        Assert.That(await archives.NextAsync(default).Soon(), Is.Null);
        await archives.CompleteAsync(null);
        Assert.That((archives.Tally.ToResult(default, 1).Files, archives.HasPostponed), Is.EqualTo((3L, false)), "nothing was left out");
    }

    private sealed class Finishing(CancellationTokenSource finish, long at) : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Length + buffer.Length >= at) finish.Cancel();
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
