using Transfer.Batch;
using Transfer.Batch.Archive.Packing;
using Transfer.Batch.Archive.Unpacking;
using Transfer.Local;

namespace Transfer.Tests.Batch.Archive;

public sealed class DiskFlushTests
{
    private const long Much = DiskFlush.MostForeignBytes;

    [Test]
    public void What_is_on_its_way_to_the_disks_is_read_from_the_systems_own_table()
    {
        Assert.That(
            DirtyPages.Parse("MemTotal: 9 kB\nDirty:              2048 kB\nWriteback:             1 kB\nWritebackTmp:        500 kB\n"u8),
            Is.EqualTo(2049 * 1024));
        Assert.That(DirtyPages.Parse("MemTotal: 9 kB\nDirty: many kB\nWriteback:"u8), Is.Zero);
        Assert.That(DirtyPages.Parse(default), Is.Zero);
        Assert.That(DirtyPages.Measure(), Is.GreaterThanOrEqualTo(0));
    }

    [TestCase(nameof(Durability.Archive), 0, 0, true)]
    [TestCase(nameof(Durability.Archive), Much + 1, 0, false)]
    [TestCase(nameof(Durability.Archive), Much + 1, 1000, true)]
    [TestCase(nameof(Durability.FileSystem), long.MaxValue, 0, true)]
    [TestCase(nameof(Durability.File), 0, 0, false)]
    public async Task A_whole_file_system_is_flushed_unless_others_have_much_to_write(string durability, long all, long own, bool whole)
    {
        if (!FileSystemSync.IsSupported) Assert.Ignore("There is no such call.");
        using var root = new TempFolder();
        var folders = new TargetFolders(root.Path, null);
        var list = new FlushList(folders);
        list.Add(folders.Get("a/b"), root.Add("a/b/c", [1]));
        using var flush = new DiskFlush(Enum.Parse<Durability>(durability), () => all);
        flush.Wrote(own);
        await flush.RunAsync(list);
        Assert.That(flush.Runs, Is.EqualTo(whole ? (1, 0) : (0, 1)));
        flush.Wrote(-own);
        await flush.RunAsync(new FlushList(folders));
        Assert.That(flush.Runs, Is.EqualTo(whole ? (1, 0) : (0, 1)), "nothing is nothing to do");
    }

    [Test]
    public async Task What_is_gone_or_can_not_be_opened_gets_to_the_disk_with_the_rest()
    {
        if (!FileSystemSync.IsSupported) Assert.Ignore("There is no such call.");
        using var root = new TempFolder();
        var folders = new TargetFolders(root.Path, null);
        var list = new FlushList(folders);
        for (var i = 0; i < 100; i++) list.Add(folders.Get([]), i % 10 == 0 ? root["gone"] : root.Add($"{i}", [1]));
        using var flush = new DiskFlush(Durability.File);
        await flush.RunAsync(list);
        Assert.That(flush.Runs.Files, Is.EqualTo(1));
    }

    [Test]
    public void Folders_that_were_made_are_flushed_up_to_one_that_was_there_and_once()
    {
        using var temp = new TempFolder();
        var root = Path.Join(temp.Path, "x", "target");
        var folders = new TargetFolders(root, null);
        var list = new FlushList(folders);
        list.Add(folders.Get("a/b"));
        string[] expected = [temp.Path, temp["x"], root, Path.Join(root, "a"), Path.Join(root, "a/b")];
        Assert.That(list.Folders.Select(folder => folder.Path), Is.EquivalentTo(expected));
        Assert.That(list.Folders.Select(folder => folder.Device).Distinct().Count(), Is.EqualTo(1));
        list.MarkFlushed();
        var next = new FlushList(folders);
        next.Add(folders.Get("a/b"), Path.Join(root, "a/b/c"));
        Assert.That(next.Folders.Select(folder => folder.Path), Is.EqualTo(new[] { Path.Join(root, "a/b") }));
        Assert.That(next.Files.Select(file => file.Path), Is.EqualTo(new[] { Path.Join(root, "a/b/c") }));
    }

    [Test]
    public void A_folder_that_was_there_may_be_on_another_file_system()
    {
        if (!OperatingSystem.IsLinux() || !Directory.Exists("/proc/self")) Assert.Ignore("Nothing is known to be mounted.");
        using var root = new TempFolder();
        Assert.That(FileStatus.DeviceOf(root.Path), Is.Not.Zero);
        Assert.That(FileStatus.DeviceOf("/proc"), Is.Not.EqualTo(FileStatus.DeviceOf(root.Path)));
        Assert.That(FileStatus.DeviceOf(root["gone"]), Is.Zero);
        Directory.CreateSymbolicLink(root["link"], "/proc");
        Assert.That(FileStatus.DeviceOf(root["link"]), Is.EqualTo(FileStatus.DeviceOf("/proc")), "a target may be a link");
        Directory.CreateDirectory(root["there"]);
        var folders = new TargetFolders(root.Path, null);
        Assert.That(folders.Get("there/made").Device, Is.EqualTo(FileStatus.DeviceOf(root.Path)));
    }

    [TestCase(nameof(Durability.FileSystem))]
    [TestCase(nameof(Durability.File))]
    [TestCase(nameof(Durability.Archive))]
    public async Task All_that_an_archive_can_have_is_flushed_in_every_way(string durability)
    {
        using var job = new BatchJob();
        var time = new DateTimeOffset(2021, 3, 4, 5, 6, 7, TimeSpan.Zero);
        job.Source.Add("new/deep/a", [1], time);
        job.Source.Add("old", [2], time);
        job.Source.Add("large", new byte[90_000], time);
        Directory.CreateDirectory(job.Source["empty/deep"]);
        if (!OperatingSystem.IsWindows()) File.CreateSymbolicLink(job.Source["link"], "old");
        job.Target.Add("old", [0], time.AddDays(-1));
        var unpack = new BatchUnpackOptions { Overwrite = OverwriteMode.Always, Durability = Enum.Parse<Durability>(durability) };
        var result = await job.CarryAsync(new BatchPackOptions { ArchiveBytes = 50_000, Links = LinkHandling.Copy }, unpack);
        Assert.That(result.Failed, Is.Zero);
        Assert.That(job.Target.Files, Is.EqualTo(job.Source.Files));
        Assert.That(job.Target.Read("old"), Is.EqualTo(new byte[] { 2 }));
        Assert.That(Directory.Exists(job.Target["empty/deep"]), Is.True);
    }
}
