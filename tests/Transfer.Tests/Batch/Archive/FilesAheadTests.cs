using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Files that the system is asked for before their turn.</summary>
[Platform("Linux")]
[NonParallelizable]
public sealed class FilesAheadTests
{
    private const int Files = 40;

    private readonly List<string> _asked = [];
    private BatchJob _job = null!;

    [SetUp]
    public void Begin()
    {
        _asked.Clear();
        _job = new BatchJob();
        for (var i = 0; i < Files; i++) _job.Source.Add($"f{i}", new byte[100_000 + i]);
        FilesAhead.Requested += OnAsked;
    }

    [TearDown]
    public void End()
    {
        FilesAhead.Requested -= OnAsked;
        _job.Dispose();
    }

    [Test]
    public void Each_is_asked_for_once_and_so_many_before_its_turn_and_opened_once()
    {
        var places = new OpenFiles(100);
        using var ahead = NewAhead(Names, places);
        for (var i = 0; i < Files; i++)
        {
            using var file = ahead.Take(i);
            Assert.That(_asked, Is.EqualTo(Names.Take(i + 1 + FilesAhead.Most).Skip(1)));
            if (i == 0) Assert.That(file, Is.Null, "nobody asked for the first before its turn");
            else Assert.That(RandomAccess.GetLength(file!), Is.EqualTo(100_000 + i));
        }
        Assert.That(Taken(places), Is.Zero);
    }

    [Test]
    public void Those_whose_turn_is_passed_over_or_does_not_come_are_closed()
    {
        var places = new OpenFiles(100);
        using (var ahead = NewAhead(Names, places))
        {
            ahead.Take(0)?.Dispose();
            Assert.That(Taken(places), Is.EqualTo(FilesAhead.Most));
            using (var file = ahead.Take(10)) Assert.That(RandomAccess.GetLength(file!), Is.EqualTo(100_010));
            Assert.That(Taken(places), Is.EqualTo(FilesAhead.Most), "those behind it");
        }
        Assert.That(Taken(places), Is.Zero);
    }

    [Test]
    public void Without_a_place_they_are_asked_for_and_not_kept()
    {
        var places = new OpenFiles(3);
        using var ahead = NewAhead(Names, places);
        ahead.Take(0)?.Dispose();
        Assert.That(_asked, Has.Count.EqualTo(FilesAhead.Most));
        Assert.That(Taken(places), Is.EqualTo(3));
        ahead.Take(3)?.Dispose();
        Assert.That(ahead.Take(4), Is.Null, "still to be opened");
    }

    [Test]
    public void Only_what_is_read_is_asked_for()
    {
        _job.Source.Add("empty", []);
        _job.Source.Add("over", [1]);
        Directory.CreateDirectory(_job.Source["folder"]);
        using var ahead = NewAhead(["f0", "absent", "empty", "folder", "over", "f1"], new OpenFiles(100));
        ahead.Take(0)?.Dispose();
        Assert.That(_asked, Is.EqualTo(new[] { "f1" }));
    }

    [Test]
    public async Task A_packer_asks_while_it_packs_and_locks_nothing()
    {
        await using var archives = _job.Pack(new BatchPackOptions { ArchiveBytes = 8 << 20, Compress = false });
        var archive = (await archives.NextAsync(default))!;
        var atOnce = 0;
        using var stream = new Looking(() =>
        {
            atOnce = _asked.Count;
            // It fails where somebody has it locked.
            foreach (var name in _asked.TakeLast(FilesAhead.Most - 1))
                File.OpenHandle(_job.Source[name], access: FileAccess.ReadWrite, share: FileShare.None).Dispose();
        });
        await archive.WriteToAsync(stream, default);
        Assert.That(atOnce, Is.InRange(FilesAhead.Most, Files - 2), "when the first content came");
        Assert.That(_asked, Is.Unique.And.Count.EqualTo(Files - 1), "all but the first");
        await using var unpacker = _job.Unpack();
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(stream.ToArray()), default));
        Assert.That(_job.Target.Files, Is.EqualTo(_job.Source.Files));
        Assert.That(archives.Tally.ToResult(default, 1).Files, Is.EqualTo(Files));
    }

    [Test]
    public async Task What_is_gone_fails_once_and_alone()
    {
        await using var archives = _job.Pack(new BatchPackOptions { ArchiveBytes = 8 << 20 });
        var archive = (await archives.NextAsync(default))!;
        File.Delete(_job.Source["f1"]);
        File.Delete(_job.Source["f3"]);
        await using var unpacker = _job.Unpack();
        archive.Confirm(await unpacker.ReceiveAsync(0, new MemoryStream(await BatchJob.WriteAsync(archive)), default));
        var result = archives.Tally.ToResult(default, 1);
        Assert.That(result.Files, Is.EqualTo(Files - 2));
        Assert.That(result.Failures.Select(failure => (failure.Path, failure.Error!.Error)),
            Is.EquivalentTo(new[] { ("f1", TransferError.NotFound), ("f3", TransferError.NotFound) }));
    }

    [TestCase("f1", TestName = "What_is_a_pipe_by_its_turn_fails_at_once(its turn)")]
    [TestCase("f0", TestName = "What_is_a_pipe_by_its_turn_fails_at_once(the first)")]
    public async Task What_is_a_pipe_by_its_turn_fails_at_once(string name)
    {
        await using var archives = _job.Pack(new BatchPackOptions { ArchiveBytes = 8 << 20 });
        var archive = (await archives.NextAsync(default))!;
        File.Delete(_job.Source[name]);
        _job.Source.AddPipe(name);
        await using var unpacker = _job.Unpack();
        archive.Confirm(await unpacker.ReceiveAsync(0,
            new MemoryStream(await BatchJob.WriteAsync(archive).WaitAsync(TimeSpan.FromMinutes(1))), default));
        var result = archives.Tally.ToResult(default, 1);
        Assert.That(result.Files, Is.EqualTo(Files - 1));
        Assert.That(result.Failures.Select(failure => (failure.Path, failure.Error!.Error)),
            Is.EqualTo(new[] { (name, TransferError.Unsupported) }));
    }

    private static IEnumerable<string> Names => Enumerable.Range(0, Files).Select(i => $"f{i}");

    private FilesAhead NewAhead(IEnumerable<string> names, OpenFiles places) =>
        new([.. names.Select(NewItem)], new LocalTreeReader(_job.Source.Path, NullLogger.Instance), places);

    private static int Taken(OpenFiles places)
    {
        var left = 0;
        while (places.TryTake(needed: false)) left++;
        for (var i = 0; i < left; i++) places.Return();
        return places.Most - left;
    }

    private static PackItem NewItem(string name) => new()
    {
        Path = name,
        Type = name == "folder" ? TarEntryType.Directory : TarEntryType.File,
        Length = name == "empty" ? 0 : 100_000,
        Outcome = name == "over" ? PackOutcome.Requeued : default,
    };

    // Other tests pack at the same time.
    private void OnAsked(string path)
    {
        if (Path.GetDirectoryName(path) == _job.Source.Path) _asked.Add(Path.GetFileName(path));
    }

    /// <summary>Looks when the first content comes.</summary>
    private sealed class Looking(Action look) : MemoryStream
    {
        private Action? _look = look;

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (buffer.Length > 1000)
            {
                _look?.Invoke();
                _look = null;
            }
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
