using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Places for files that have no names yet: as many as there are are taken, and all are given back.</summary>
public sealed class UnnamedFilesTests
{
    private const int Places = 3;
    private const int Marks = 2;

    private readonly OpenFiles _places = new(Places);

    [Test]
    public async Task For_files_without_a_place_there_are_temporary_names()
    {
        using var job = NewJob();
        var seen = 0;
        await using (var archives = job.Pack(new BatchPackOptions { Compress = false }))
        {
            var archive = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
            await using var unpacker = job.Unpack(new BatchUnpackOptions { Durability = Durability.None });
            using var stream = new LateStream(archive, () => seen = job.Target.Files.Count);
            Assert.That((await unpacker.ReceiveAsync(0, stream, default)).Files, Is.EqualTo(5));
        }
        Assert.That(seen, Is.EqualTo(Marks + 5 - (UnnamedFile.IsSupported ? Places : 0)),
            "the receiver's marks, and those that have names");
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
        AssertAllAreBack();
    }

    [Test]
    public async Task Of_an_archive_that_is_cut_short_nothing_is_left()
    {
        using var job = NewJob();
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var archive = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
        await using (var unpacker = job.Unpack())
        {
            Assert.That(
                (await unpacker.ReceiveAsync(0, new MemoryStream(archive[..^1000]), default).AsTask().Failure<TransferException>()).Error,
                Is.EqualTo(TransferError.Integrity));
        }

        Assert.That(job.Target.Files, Is.Empty);
        AssertAllAreBack();
    }

    [Test]
    public async Task Nor_of_files_that_could_not_be_published()
    {
        using var job = NewJob();
        await using var archives = job.Pack(new BatchPackOptions { Compress = false });
        var archive = await BatchJob.WriteAsync((await archives.NextAsync(default))!);
        await using (var unpacker = job.Unpack())
        {
            using var stream = new LateStream(archive, () =>
            {
                foreach (var name in job.Source.Files) job.Target.Add(name, [9]);
            });
            Assert.That((await unpacker.ReceiveAsync(0, stream, default)).Failures.Select(failure => failure.Error),
                Has.Exactly(5).EqualTo(TransferError.Exists));
        }
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
        Assert.That(job.Target.Files.SelectMany(job.Target.Read), Is.All.EqualTo(9));
        AssertAllAreBack();
    }

    private BatchJob NewJob()
    {
        var job = new BatchJob { Places = _places };
        for (var i = 0; i < 5; i++) job.Source.Add($"f{i}", new byte[i == 4 ? 400_000 : 100_000]);
        return job;
    }

    private void AssertAllAreBack()
    {
        for (var i = 0; i < Places; i++) Assert.That(_places.TryTake(needed: false), Is.True, "one was not given back");
        Assert.That(_places.HasRoom, Is.False);
        for (var i = 0; i < Places; i++) _places.Return();
    }
}
