using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch.Archive;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Tar;
using Transfer.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>Files that the system is asked for before their turn.</summary>
[Platform("Linux")]
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
        for (var i = 0; i < Files; i++) _job.Source.Add($"f{i}", new byte[100_000]);
        FilesAhead.Asked += OnAsked;
    }

    [TearDown]
    public void End()
    {
        FilesAhead.Asked -= OnAsked;
        _job.Dispose();
    }

    [Test]
    public void Each_is_asked_for_once_and_so_many_before_its_turn()
    {
        var ahead = NewAhead(Names);
        for (var i = 0; i < Files; i++)
        {
            ahead.ReadBehind(i);
            Assert.That(_asked, Is.EqualTo(Names.Take(i + 1 + FilesAhead.Most).Skip(1)));
        }
    }

    [Test]
    public void Only_what_is_read_is_asked_for()
    {
        _job.Source.Add("empty", []);
        _job.Source.Add("over", [1]);
        Directory.CreateDirectory(_job.Source["folder"]);
        NewAhead(["f0", "absent", "empty", "folder", "over", "f1"]).ReadBehind(0);
        Assert.That(_asked, Is.EqualTo(new[] { "f1" }));
    }

    [Test]
    public async Task A_packer_asks_while_it_packs_and_leaves_nothing_open_or_locked()
    {
        await using var archives = _job.Pack(new BatchPackOptions { ArchiveBytes = 8 << 20, Compress = false });
        var archive = (await archives.NextAsync(default))!;
        var atOnce = 0;
        using var stream = new Looking(() =>
        {
            atOnce = _asked.Count;
            // It fails where somebody has it open.
            foreach (var name in _asked.TakeLast(FilesAhead.Most - 1)) File.OpenHandle(_job.Source[name], access: FileAccess.ReadWrite, share: FileShare.None).Dispose();
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
        Assert.That(result.Failures.Select(failure => (failure.Path, failure.Error!.Error)), Is.EquivalentTo(new[] { ("f1", TransferError.NotFound), ("f3", TransferError.NotFound) }));
    }

    private static IEnumerable<string> Names => Enumerable.Range(0, Files).Select(i => $"f{i}");

    private FilesAhead NewAhead(IEnumerable<string> names) => new([.. names.Select(NewItem)], new LocalTree(_job.Source.Path, NullLogger.Instance));

    private static PackItem NewItem(string name) => new()
    {
        Path = name,
        Type = name == "folder" ? TarEntryType.Directory : TarEntryType.File,
        Length = name == "empty" ? 0 : 100_000,
        Outcome = name == "over" ? PackOutcome.Moved : default,
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
