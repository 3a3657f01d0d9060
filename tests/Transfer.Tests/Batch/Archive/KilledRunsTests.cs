using Microsoft.Extensions.Logging.Abstractions;
using Transfer.Batch;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Local;
using Transfer.Tests.Local;

namespace Transfer.Tests.Batch.Archive;

/// <summary>What receivers that were killed have left, and what is others'.</summary>
public sealed class KilledRunsTests
{
    private const string Run = "0123456789abcdef";

    [Test]
    public void Unfinished_files_of_a_killed_run_go_and_all_else_stays()
    {
        using var folder = new TempFolder();
        Kill(folder, Run, RunMark.OfOneProcess);
        string[] stays = [$"a/.transfer-{new string('1', 16)}-1.part", "a/.transfer-x.part", "a/b"];
        foreach (var path in stays) folder.Add(path, [1]);
        folder.Add(Temporary(1), [1]);
        folder.Add("a/deep/" + Temporary(2), [1], DateTimeOffset.UtcNow);
        Clean(folder);
        Assert.That(folder.Files, Is.EqualTo(stays), "what has no mark may be anybody's");
    }

    [Test]
    public void A_running_receivers_files_stay()
    {
        using var folder = new TempFolder();
        using (var mark = RunMark.TryMake(folder.Path, Run, RunMark.OfOneProcess, NullLogger.Instance))
        {
            Assert.That(mark, Is.Not.Null);
            folder.Add(Temporary(1), [1]);
            Clean(folder);
            Assert.That(folder.Files, Is.EqualTo(new[] { TemporaryNames.MarkOf(Run), Temporary(1) }));
        }
        Assert.That(folder.Files, Is.EqualTo(new[] { Temporary(1) }), "its mark goes with it");
    }

    [Test]
    public void Slices_stay_for_a_day_for_a_sender_who_may_come_back()
    {
        using var folder = new TempFolder();
        Kill(folder, Run, RunMark.OfJob);
        folder.Add(Temporary(1), [1], DateTimeOffset.UtcNow.AddHours(-25));
        folder.Add(Temporary(2), [1], DateTimeOffset.UtcNow.AddHours(-23));
        Clean(folder);
        Assert.That(folder.Files, Is.EqualTo(new[] { TemporaryNames.MarkOf(Run), Temporary(2) }));
        File.SetLastWriteTimeUtc(folder[Temporary(2)], DateTime.UtcNow.AddHours(-25));
        Clean(folder);
        Assert.That(folder.Files, Is.Empty);
    }

    // Without content: of a receiver that was killed in between, or emptied by a power cut.
    [TestCase(false, 30 * 24)]
    [TestCase(true, 24)]
    public void Files_that_another_machine_has_marked_stay_for_a_month_and_those_of_a_mark_without_content_for_a_day(
        bool isEmpty, int hours)
    {
        using var folder = new TempFolder();
        var content = RunMark.ContentOf(RunMark.OfOneProcess);
        content[^1] ^= 1;
        var mark = folder.Add(TemporaryNames.MarkOf(Run), isEmpty ? [] : content);
        folder.Add(Temporary(1), [1], DateTimeOffset.UtcNow.AddDays(-2));
        Clean(folder);
        Assert.That(folder.Files, Has.Count.EqualTo(2), "locks may not reach from one to the other");
        File.SetLastWriteTimeUtc(mark, DateTime.UtcNow.AddHours(1 - hours));
        Clean(folder);
        Assert.That(folder.Files, Has.Count.EqualTo(2));
        File.SetLastWriteTimeUtc(mark, DateTime.UtcNow.AddHours(-1 - hours));
        Clean(folder);
        Assert.That(folder.Files, Is.Empty);
    }

    [Test]
    public void A_mark_that_cannot_be_written_does_not_stay()
    {
        using var folder = new TempFolder();
        using var faults = new DiskScript(folder.Path, (call, _, _) => call == DiskCall.Write ? 28 : 0);
        Assert.That(RunMark.TryMake(folder.Path, Run, RunMark.OfJob, NullLogger.Instance), Is.Null);
        Assert.That(folder.Files, Is.Empty);
    }

    [Test]
    public void A_sender_who_comes_back_finds_a_mark_that_was_left()
    {
        using var folder = new TempFolder();
        Kill(folder, Run, RunMark.OfJob);
        using var mark = RunMark.TryMake(folder.Path, Run, RunMark.OfJob, NullLogger.Instance);
        Assert.That(mark, Is.Not.Null);
        folder.Add(Temporary(1), [1], DateTimeOffset.UtcNow.AddDays(-2));
        Clean(folder);
        Assert.That(folder.Files, Has.Count.EqualTo(2));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public void Links_are_not_followed()
    {
        using var folder = new TempFolder();
        using var other = new TempFolder();
        Kill(folder, Run, RunMark.OfOneProcess);
        other.Add(Temporary(1), [1]);
        Directory.CreateSymbolicLink(folder["link"], other.Path);
        File.CreateSymbolicLink(folder[Temporary(3)], "anywhere");
        Clean(folder);
        Assert.That(other.Files, Has.Count.EqualTo(1));
        Assert.That(new FileInfo(folder[Temporary(3)]).LinkTarget, Is.Null, "a link on its way to a name");
    }

    [Test]
    public async Task What_is_unfinished_is_marked_as_long_as_it_is()
    {
        using var job = new BatchJob();
        await using (var unpacker = job.Unpack())
        {
            await ReceiveAsync(job, unpacker, 0, new TarBuilder().Add("a", "x"));
            Assert.That(job.Target.Files, Is.EqualTo(new[] { "a" }));
            await ReceiveAsync(job, unpacker, 1, new TarBuilder().Add("large", "0123", slice: new(1, 0, 8)));
            Assert.That(job.Target.Files.Count(TemporaryNames.IsMark), Is.EqualTo(2));
            KilledRuns.Clean(job.Target.Path, new ShiftedTime(TimeSpan.FromDays(3)), NullLogger.Instance, default);
            await ReceiveAsync(job, unpacker, 2, new TarBuilder().Add("large", "4567", slice: new(1, 4, 8)));
            Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "large" }));
            await ReceiveAsync(job, unpacker, 3, new TarBuilder().Add("lost", "0123", slice: new(2, 0, 8)));
        }
        Assert.That(job.Target.Files, Is.EqualTo(new[] { "a", "large" }));
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_receiver_deletes_them_when_it_starts(bool byStreams)
    {
        using var folder = new TempFolder();
        Kill(folder, Run, RunMark.OfOneProcess);
        folder.Add("a/" + Temporary(1), [1]);
        if (byStreams)
        {
            Assert.That(
                async () =>
                await BatchReceiver.ReceiveAsync(folder.Path, Stream.Null, Stream.Null, new BatchReceiverOptions { AllowUnsealed = true }),
                Throws.InstanceOf<TransferException>(), "nobody sends");
        }
        else
        {
            await using var receiver = BatchReceiver.Listen(folder.Path,
                new BatchReceiverOptions { Listen = new(System.Net.IPAddress.Loopback, 0) });
            // Beside its work, and not longer than that.
            for (var i = 0; i < 1000 && folder.Files.Count > 0; i++) await Task.Delay(10);
        }
        Assert.That(folder.Files, Is.Empty);
    }

    private static string Temporary(long number) => TemporaryNames.Of(0x0123456789abcdef, number);

    [Test]
    public void A_pipe_of_that_name_is_not_waited_for()
    {
        if (OperatingSystem.IsWindows()) Assert.Ignore("Pipes are no files there.");
        using var folder = new TempFolder();
        folder.AddPipe(TemporaryNames.MarkOf(Run));
        Clean(folder);
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Has.Length.EqualTo(1));
    }

    // As the system leaves it: there, and unlocked.
    private static void Kill(TempFolder folder, string run, byte kind) => folder.Add(TemporaryNames.MarkOf(run), RunMark.ContentOf(kind));

    private static void Clean(TempFolder folder) => KilledRuns.Clean(folder.Path, TimeProvider.System, NullLogger.Instance, default);

    private static async Task ReceiveAsync(BatchJob job, Transfer.Batch.Archive.Unpacking.FolderUnpacker unpacker, long index,
        TarBuilder tar) =>
        await unpacker.ReceiveAsync(index, new MemoryStream(await job.SealAsync(tar.ToBytes(), index)), default);
}
