using Transfer.ServerTests.Servers;
using Transfer.ServerTests.Support;

namespace Transfer.ServerTests.Faults;

/// <summary>Downloads onto a disk that is too small.</summary>
[TestFixtureSource(typeof(Fixtures), nameof(Fixtures.Each))]
[Parallelizable]
public sealed class FullLocalDiskTests(ServerKind kind, ServerVariant variant) : ServerFixture(kind, variant)
{
    private const int SmallDisk = 1 << 20;

    private string _disk = string.Empty;

    [SetUp]
    public void MountDisk()
    {
        _disk = Directory.CreateDirectory(Path.Combine(Scratch, "disk")).FullName;
        Shell.Run("mount", "-t", "tmpfs", "-o", $"size={SmallDisk}", "tmpfs", _disk);
    }

    [TearDown]
    public void UnmountDisk() => Shell.Unmount(_disk);

    [TestCase(3 << 20)]
    [TestCase(30 << 20)]
    public async Task A_file_that_does_not_fit_fails_as_a_full_disk_and_the_old_one_stays(int length)
    {
        Server.Plant(Remote + "/file", Bytes.Random(length));
        File.WriteAllBytes(Path.Combine(_disk, "file"), [1, 2, 3]);
        await using var client = Client();
        var error = (await Assert.CatchAsync<TransferException>(
            () => client.DownloadFileAsync(Remote + "/file", Path.Combine(_disk, "file"), new() { Overwrite = OverwriteMode.Always })))!;
        Assert.That(error.Error, Is.EqualTo(TransferError.Quota), error.ToString());
        Assert.That(File.ReadAllBytes(Path.Combine(_disk, "file")), Is.EqualTo(new byte[] { 1, 2, 3 }));
        Assert.That(Directory.EnumerateFileSystemEntries(_disk).Select(Path.GetFileName), Is.EqualTo(new[] { "file" }));
        Assert.That((await client.GetEntryAsync(Remote + "/file"))!.Length, Is.EqualTo(length), "the session, or another one, goes on");
    }

    [Test]
    public async Task Of_a_folder_that_does_not_fit_what_is_there_is_whole_and_the_rest_is_told()
    {
        for (var i = 0; i < 40; i++) Server.Plant($"{Remote}/s/f{i}", Bytes.Random(100_000, i));
        await using var client = Client();
        var result = await client.DownloadDirectoryAsync(Remote + "/s", Path.Combine(_disk, "t"));
        Assert.That(result.Files + result.Failed, Is.EqualTo(40));
        Assert.That(result.Files, Is.InRange(1, 10));
        Assert.That(result.Failures.Select(failure => failure.Error!.Error), Is.All.EqualTo(TransferError.Quota));
        var there = Directory.GetFiles(Path.Combine(_disk, "t"));
        Assert.That(there, Has.Length.EqualTo(result.Files), "nothing half");
        foreach (var path in there)
        {
            Bytes.AssertSame(File.ReadAllBytes(path),
                Bytes.Random(100_000, int.Parse(Path.GetFileName(path)[1..], System.Globalization.CultureInfo.InvariantCulture)));
        }
    }
}
