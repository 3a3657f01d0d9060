using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Faults;

/// <summary>
/// No room is left for the job's journal: the job goes on without one, says so, and what the journal has told so far is true.
/// </summary>
[Parallelizable]
public sealed class FullJournalDiskTests
{
    // Told of a file in eighty bytes, a quarter of the files fit.
    private const int Disk = 16 << 10;
    private const int Files = 600;

    /// <summary>The event that says it.</summary>
    private const int JournalBroken = 1240;

    private LogLines _log = new();
    private string _folder = string.Empty;
    private string _disk = string.Empty;

    private string Source => Path.Combine(_folder, "source");

    private string Target => Path.Combine(_folder, "target");

    // Two sessions, so that no more is under way than is left to be done.
    private DirectoryOptions Job => new() { Journal = Path.Combine(_disk, "job.journal"), Overwrite = OverwriteMode.Always, Sessions = 2 };

    [SetUp]
    public void MountDisk()
    {
        _log = new LogLines();
        _folder = Directory.CreateDirectory(Path.Combine(TestHost.Folder, Guid.NewGuid().ToString("N"))).FullName;
        _disk = Directory.CreateDirectory(Path.Combine(_folder, "disk")).FullName;
        Shell.Run("mount", "-t", "tmpfs", "-o", $"size={Disk}", "tmpfs", _disk);
        TestTree.Write(Source, Files);
    }

    [TearDown]
    public void UnmountDisk()
    {
        Shell.Unmount(_disk);
        Directory.Delete(_folder, recursive: true);
        _log.Dispose();
    }

    [Test]
    public async Task The_job_goes_on_and_says_so()
    {
        await using var client = Client();

        var result = await client.UploadDirectoryAsync(Source, Target, Job);

        AssertAllThere(result);
        Assert.That(_log.Of(JournalBroken), Is.Not.Empty);
        Assert.That(Directory.EnumerateFiles(_disk), Is.Empty, "nothing is left to continue");
    }

    [Test]
    public async Task What_is_broken_off_later_is_continued()
    {
        using var stop = new CancellationTokenSource();
        await using (var client = Client())
        {
            // A quarter of the files has been told of by then.
            _log.OnEvent = id =>
            {
                if (id == JournalBroken) stop.Cancel();
            };
            await Assert.CatchAsync<OperationCanceledException>(
                () => client.UploadDirectoryAsync(Source, Target, Job, cancellationToken: stop.Token));
        }

        Assert.That(_log.Of(JournalBroken), Is.Not.Empty);
        Shell.Run("mount", "-o", $"remount,size={1 << 20}", _disk);
        await using var next = Client();

        var result = await next.UploadDirectoryAsync(Source, Target, Job with { Resume = true });

        AssertAllThere(result);
        Assert.That(result.Skipped, Is.GreaterThan(0), "what the journal had been told of");
        Assert.That(Directory.EnumerateFiles(_disk), Is.Empty);
    }

    private LocalTransferClient Client() => new(new Uri("file:///"), new LocalTransferOptions { LoggerFactory = _log });

    private void AssertAllThere(JobResult result)
    {
        Assert.That(result.Failures.Select(item => $"{item.Path}: {item.Error}"), Is.Empty);
        Assert.That(TestTree.Differences(Source, Target, TimeSpan.FromSeconds(1)), Is.Empty);
    }
}
