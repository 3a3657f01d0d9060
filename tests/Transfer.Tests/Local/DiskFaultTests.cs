using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Journal;
using Transfer.Local;
using Transfer.Local.Contents;
using Transfer.Local.Native;
using Transfer.Tests.Batch;
using Transfer.Tests.Engine;

namespace Transfer.Tests.Local;

/// <summary>A disk that reports errors when files are written, flushed and closed.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class DiskFaultTests : IDisposable
{
    private const int Step = 16 << 20;
    private readonly TempFolder _from = new();
    private readonly TempFolder _to = new();
    private readonly MemoryStore _store = new();

    public void Dispose()
    {
        _from.Dispose();
        _to.Dispose();
    }

    [Test]
    public Task A_file_that_is_not_flushed_closed_or_named_fails_and_the_old_one_stays(
        [Values("Flush", "Close", "Rename")] string call, [Values] bool always, [Values("download", "folder", "sync", "copy", "copy folder",
            "upload")] string how) =>
        AssertStaysAsync(Enum.Parse<DiskCall>(call), always, how);

    [Test]
    public Task A_file_that_is_not_written_fails_and_the_old_one_stays([Values] bool always, [Values("download", "folder",
        "sync")] string how) =>
        AssertStaysAsync(DiskCall.Write, always, how);

    private async Task AssertStaysAsync(DiskCall failing, bool always, string how)
    {
        _store.AddFile("/s/f", Samples.Bytes(5000), Samples.Time);
        _from.Add("f", Samples.Bytes(5000), Samples.Time);
        _to.Add("f", [1]);
        await using var remote = new MemoryTransferClient(_store);
        await using var from = new LocalTransferClient(new Uri("file://" + _from.Path));
        await using var to = new LocalTransferClient(new Uri("file://" + _to.Path));
        using var script = new DiskScript(_to.Path, (made, _, count) => made == failing && (always || count == 1) ? Errno.InputOutput : 0);
        var one = new UploadOptions { FlushToDisk = true, Overwrite = OverwriteMode.Always };
        var many = new DirectoryOptions { FlushToDisk = true, Overwrite = OverwriteMode.Always };
        Exception? error = null;
        try
        {
            error = how switch
            {
                "download" =>
                    await NoneAsync(
                        remote.DownloadFileAsync("/s/f", _to["f"], new() { FlushToDisk = true, Overwrite = OverwriteMode.Always })),
                "folder" => FailureOf(await remote.DownloadDirectoryAsync("/s", _to.Path, many).Soon()),
                "sync" => FailureOf(await remote.SynchronizeAsync(_to.Path, "/s", SyncDirection.Down, new() { FlushToDisk = true }).Soon()),
                "copy" => await NoneAsync(from.CopyFileAsync("f", to, "f", one)),
                "copy folder" => FailureOf(await from.CopyDirectoryAsync("", to, "", many).Soon()),
                _ => await NoneAsync(to.UploadFileAsync(_from["f"], "f", one)),
            };
        }
        catch (TransferException e)
        {
            error = e;
        }
        Assert.That(script.Count(failing), Is.Positive);
        Assert.That(error, Is.Not.Null);
        Assert.That(_to.Files, Is.EqualTo(new[] { "f" }), "nothing is left");
        Assert.That(_to.Read("f"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task Without_flushing_a_close_that_fails_fails_the_file_too()
    {
        _store.AddFile("/f", Samples.Bytes(5000));
        _to.Add("f", [1]);
        await using var client = new MemoryTransferClient(_store);
        using var script = new DiskScript(_to.Path, (made, _, _) => made == DiskCall.Close ? Errno.OverQuota : 0);
        Assert.That(
            async () => await client.DownloadFileAsync("/f", _to["f"], new() { Overwrite = OverwriteMode.Always }),
            Throws.InstanceOf<TransferException>().With.Property(nameof(TransferException.Error)).EqualTo(TransferError.Quota));
        Assert.That(_to.Read("f"), Is.EqualTo(new byte[] { 1 }));
    }

    [Test]
    public async Task After_a_flush_that_failed_no_range_is_told_any_more_and_the_file_is_not_whole()
    {
        var time = new ManualTime();
        var path = _to["journal"];
        using var journal = JobJournal.Open(path, "job", new TemporaryNames(), resume: false, namesAll: true, NullLogger.Instance,
            JournalFlush.Never, time);
        var journaled = new JournaledFile(journal, "f", SourceStamp.Of(8 * Step, DateTimeOffset.UnixEpoch), inRanges: true);
        using var handle = File.OpenHandle(_to["f"], FileMode.CreateNew, FileAccess.ReadWrite);
        RandomAccess.SetLength(handle, 8 * Step);
        using var script = new DiskScript(_to["f"], (made, _, count) => made == DiskCall.Flush && count == 2 ? Errno.InputOutput : 0);
        var ranges = new WrittenRanges(handle, _to["f"], journaled);
        var before = new FileInfo(path).Length;
        Write(0);
        await Eventually.TrueAsync(() => new FileInfo(path).Length > before);
        var told = new FileInfo(path).Length;
        // The flush before may be told already, but not over yet: then it is a later byte's turn.
        var next = 1;
        await Eventually.TrueAsync(() =>
        {
            if (ranges.HasFailed) return true;
            if (next < 7) Write(next++);
            return false;
        });
        Write(7);
        await ranges.FlushAsync();
        Assert.That(new FileInfo(path).Length, Is.EqualTo(told), "what no flush has proved is not told, whatever a later one would say");
        Assert.That((await ranges.StopAsync() is IOException, script.Count(DiskCall.Flush)), Is.EqualTo((true, 2)));

        void Write(int step)
        {
            time.Advance(TimeSpan.FromSeconds(2));
            ranges.Wrote(step * (long)Step, Step);
        }
    }

    [Test]
    public async Task A_link_to_nowhere_is_replaced_and_holds_no_deletions()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Links need rights there.");
        _store.AddFile("/s/f", Samples.Bytes(5000), Samples.Time);
        Directory.CreateDirectory(_to.Path);
        File.CreateSymbolicLink(_to["f"], "nowhere");
        File.CreateSymbolicLink(_to["old"], "nowhere");
        _to.Add("extra", [1]);
        await using var client = new MemoryTransferClient(_store);
        var result = await client.SynchronizeAsync(_to.Path, "/s", SyncDirection.Down, new() { Delete = true }).Soon();
        Assert.That((result.Failed, result.Deleted), Is.EqualTo((0, 2)));
        Assert.That(_to.Files, Is.EqualTo(new[] { "f" }));
        Assert.That(new FileInfo(_to["f"]), Has.Property("LinkTarget").Null.And.Property("Length").EqualTo(5000));
    }

    [Test]
    public async Task Files_of_an_archive_that_do_not_reach_the_disk_are_not_there_and_are_written_again([Values] bool named)
    {
        using var job = new BatchJob { Places = named ? new OpenFiles(0) : OpenFiles.OfProcess };
        var tar = new TarBuilder().Add("a", "1").Add("b/c", "2");
        await using var unpacker = job.Unpack(new BatchUnpackOptions { Durability = Durability.File, PreserveTimes = true });
        using (new DiskScript(job.Target["b"],
            (made, path, count) => made == DiskCall.Flush && path.EndsWith('c') && count > 0 ? Errno.InputOutput : 0))
        {
            Assert.That(async () => await unpacker.ReceiveAsync(0, new MemoryStream(await job.SealAsync(tar.ToBytes())), default),
                Throws.InstanceOf<TransferException>());
        }
        Assert.That(job.Target.Files.Where(file => !file.Contains(".transfer-")), Is.Empty);
        using var script = new DiskScript(job.Target.Path, (_, _, _) => 0);
        var receipt = await unpacker.ReceiveAsync(0, new MemoryStream(await job.SealAsync(tar.ToBytes(), isAgain: true)), default);
        Assert.That(receipt.Failures, Is.Empty);
        Assert.That(script.Count(DiskCall.Open), Is.GreaterThanOrEqualTo(2), "both were made anew");
        Assert.That(job.Target.Files.Where(file => !file.Contains(".transfer-")), Is.EqualTo(new[] { "a", "b/c" }));
    }

    [Test]
    public async Task A_file_of_an_archive_that_cannot_be_closed_has_not_come([Values] bool named)
    {
        using var job = new BatchJob { Places = named ? new OpenFiles(0) : OpenFiles.OfProcess };
        await using var unpacker = job.Unpack();
        using var script = new DiskScript(job.Target.Path,
            (made, _, count) => made == DiskCall.Close && count == 1 ? Errno.InputOutput : 0);
        var receipt = await unpacker.ReceiveAsync(0,
            new MemoryStream(await job.SealAsync(new TarBuilder().Add("a", "1").Add("b", "2").ToBytes())), default);
        Assert.That(receipt.Failures.Select(failure => (failure.Path, failure.Error)), Is.EqualTo(new[] { ("a", TransferError.Unknown) }));
        Assert.That(job.Target.Files.Where(file => !file.Contains(".transfer-")), Is.EqualTo(new[] { "b" }));
    }

    private static TransferException? FailureOf(JobResult result) => result.Failures.SingleOrDefault()?.Error;

    private static async Task<Exception?> NoneAsync(Task<TransferResult> transfer)
    {
        await transfer.Soon();
        return null;
    }
}
