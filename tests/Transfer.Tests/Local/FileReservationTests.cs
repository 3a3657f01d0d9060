using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Journal;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

/// <summary>Room for large files that is reserved before they begin.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class FileReservationTests : IDisposable
{
    // No disk has it.
    private const long TooMuch = 1L << 60;

    private readonly MemoryStore _store = new();
    private readonly TempFolder _local = new();

    public void Dispose() => _local.Dispose();

    [Test]
    public async Task A_file_that_has_no_room_fails_before_a_byte_of_it_is_asked_for_and_leaves_nothing([Values] OverwriteMode overwrite)
    {
        if (overwrite != OverwriteMode.Fail) _local.Add("t/f", [1]);
        _store.AddDirectory("/s");
        _store.Extra.Add(
            new RemoteEntry { Path = "/s/f", Type = RemoteEntryType.File, Length = TooMuch, Modified = DateTimeOffset.UtcNow.AddDays(1) });
        await using var client = new MemoryTransferClient(_store);
        var result = await client.DownloadDirectoryAsync("/s", _local["t"], new() { Overwrite = overwrite }).Soon();
        if (overwrite == OverwriteMode.Skip) return;
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(_store.Faults.Count("download"), Is.Zero);
        Assert.That(_local.Files, Is.EqualTo(overwrite == OverwriteMode.Fail ? Array.Empty<string>() : ["t/f"]));
        if (overwrite != OverwriteMode.Fail) Assert.That(_local.Read("t/f"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Published_directly_over_an_old_file_nothing_is_reserved()
    {
        var target = _local.Add("f", [1]);
        var sink = new LocalFileSink(target, new LocalFileSinkOptions { Length = TooMuch, Replace = true });
        sink.Prepare();
        Assert.That(_local.Read("f"), Is.EqualTo(new byte[] { 1 }), "nothing has come yet");
        await sink.WriteAsync(0, new byte[10], CancellationToken.None);
        Assert.That(_local.Read("f"), Has.Length.EqualTo(10), "who fails to reserve deletes it");
        await sink.AbandonAsync(null);
    }

    [Test]
    public async Task Room_alone_is_not_kept_for_another_run()
    {
        var names = new TemporaryNames();
        using var journal = JobJournal.Open(_local["journal"], "job", names, resume: false, namesAll: true, NullLogger.Instance);
        var journaled = new JournaledFile(journal, "f", SourceStamp.Of(8 << 20, DateTimeOffset.UnixEpoch), inRanges: true);
        var sink = new LocalFileSink(_local["f"],
            new LocalFileSinkOptions { Length = 8 << 20, TemporaryName = names.Next, Journaled = journaled });
        sink.Prepare();
        Assert.That(_local.Files, Has.Count.EqualTo(2));
        await sink.KeepAsync(null);
        Assert.That(_local.Files, Is.EqualTo(new[] { "journal" }));
    }

    [Test]
    public void A_file_is_noted_before_its_room_is_reserved()
    {
        // What takes a while, on some file systems minutes, may be killed.
        var names = new TemporaryNames();
        using var journal = JobJournal.Open(_local["journal"], "job", names, resume: false, namesAll: true, NullLogger.Instance);
        var journaled = new JournaledFile(journal, "f", SourceStamp.Of(8 << 20, DateTimeOffset.UnixEpoch), inRanges: true);
        var sink = new LocalFileSink(_local["f"],
            new LocalFileSinkOptions { Length = 8 << 20, TemporaryName = names.Next, Journaled = journaled });
        var (noted, before) = (new List<bool>(), new FileInfo(_local["journal"]).Length);
        using (new DiskScript(_local.Path, (call, path, _) =>
        {
            if (call == DiskCall.Open && path.EndsWith(".part", StringComparison.Ordinal))
                noted.Add(new FileInfo(_local["journal"]).Length > before);
            return 0;
        }))
        {
            sink.Prepare();
        }
        Assert.That(noted, Is.EqualTo(new[] { true }));
    }

    [TestCase(1 << 20, true)]
    [TestCase((1 << 20) - 1, false)]
    public async Task A_large_file_has_its_room_and_no_other_length_by_that(int length, bool reserved)
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("How much room a file has is asked of Linux.");
        var names = new TemporaryNames();
        var sink = new LocalFileSink(_local["f"], new LocalFileSinkOptions { Length = length, TemporaryName = names.Next });
        sink.Prepare();
        Assert.That(_local.Files, Has.Count.EqualTo(reserved ? 1 : 0), "what is small is opened when it comes");
        await sink.WriteAsync(0, new byte[100], CancellationToken.None);
        var written = _local[_local.Files.Single()];
        Assert.That(new FileInfo(written).Length, Is.EqualTo(100));
        Assert.That(await RoomAsync(written) >= length, Is.EqualTo(reserved));
        await sink.FinishAsync(100);
        Assert.That(new FileInfo(_local["f"]).Length, Is.EqualTo(100));
        Assert.That(await RoomAsync(_local["f"]), Is.LessThan(length / 2), "it has become shorter than was said");
    }

    [Test]
    public async Task So_has_one_that_is_written_to_a_local_client()
    {
        await using var client = new LocalTransferClient(new Uri("file://" + _local.Path));
        _store.AddDirectory("/s");
        _store.Extra.Add(
            new RemoteEntry { Path = "/s/f", Type = RemoteEntryType.File, Length = TooMuch, Modified = DateTimeOffset.UtcNow.AddDays(1) });
        await using var from = new MemoryTransferClient(_store);
        var result = await from.CopyDirectoryAsync("/s", client, "t").Soon();
        Assert.That(result.Failures.Single().Error!.Error, Is.EqualTo(TransferError.Quota));
        Assert.That(_local.Files, Is.Empty);
        await client.UploadAsync(new MemoryStream(new byte[3 << 20]), "g").Soon();
        Assert.That(new FileInfo(_local["g"]).Length, Is.EqualTo(3 << 20));
    }

    // In blocks of 512 bytes.
    private static async Task<long> RoomAsync(string path)
    {
        using var stat = Process.Start(new ProcessStartInfo("stat", ["-c", "%b", path]) { RedirectStandardOutput = true })!;
        return 512 * long.Parse(await stat.StandardOutput.ReadToEndAsync(), System.Globalization.CultureInfo.InvariantCulture);
    }
}
