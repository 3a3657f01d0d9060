using System.Text;
using Transfer.Local;
using Transfer.Local.Native;

namespace Transfer.Tests.Local;

/// <summary>Local calls with names that are no UTF-8.</summary>
[FixtureLifeCycle(LifeCycle.InstancePerTestCase)]
public sealed class NamesAreBytesTests : IDisposable
{
    private static readonly DateTime Time = new(2020, 2, 3, 4, 5, 6, 700, DateTimeKind.Utc);

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [SetUp]
    public void Names_are_bytes_on_Linux()
    {
        if (!OperatingSystem.IsLinux()) Assert.Ignore("Names are bytes on Linux only.");
    }

    [Test]
    public void A_folder_is_listed_with_all_names_as_they_are()
    {
        ByteTree.Make(_folder.Path, ByteTree.Samples);
        var listed = DiskDirectories.Entries(_folder.Path).ToList();
        var top = ByteTree.Samples.Select(name => name.Split('/')[0]).Distinct();
        Assert.That(listed.Select(entry => Encoding.Latin1.GetString(NameEncoding.LosslessUtf8.GetBytes(entry.Name))),
            Is.EquivalentTo(top));
        Assert.That(DiskDirectories.Names(_folder.Path), Is.EquivalentTo(listed.Select(entry => entry.Name)));
        Assert.That(listed.Single(entry => entry.Name == "plain.txt").Status,
            Is.EqualTo(FileStatus.Find(_folder["plain.txt"], follow: false)));
        Assert.That(listed.Single(entry => entry.Status.IsFolder).Name, Is.EqualTo(ByteTree.PathOf("b\xFClow")));
    }

    [Test]
    public void Files_are_made_renamed_linked_and_deleted_by_their_bytes()
    {
        var (one, two, three) = (At("\xE9"), At("\xE8"), At("\xEA"));
        using (var handle = DiskFiles.Open(one, FileMode.CreateNew, FileAccess.Write)) RandomAccess.Write(handle, "x"u8, 0);
        Assert.That(() => DiskFiles.Open(one, FileMode.CreateNew, FileAccess.Write), Throws.InstanceOf<IOException>());
        DiskFiles.Rename(one, two);
        Assert.That(DiskFiles.TryLink(two, three), Is.Zero);
        DiskFiles.SetMode(three, UnixFileMode.UserRead);
        DiskFiles.SetModified(three, Time);
        Assert.That(FileStatus.Find(two, follow: false), Is.EqualTo(FileStatus.Find(three, follow: false)));
        Assert.That((FileStatus.Find(two, follow: false)?.Mode, FileStatus.Find(two, follow: false)?.Modified),
            Is.EqualTo((UnixFileMode.UserRead, Time)));
        Assert.That(ByteTree.Names(_folder.Path), Is.EqualTo(new[] { ".", "./\xE8", "./\xEA" }));
        DiskFiles.Delete(two);
        DiskFiles.Delete(two);
        Assert.That(ByteTree.Names(_folder.Path), Is.EqualTo(new[] { ".", "./\xEA" }));
        Assert.That((DiskFiles.Exists(two), DiskFiles.Exists(three), FileStatus.IsAbsent(two), FileStatus.IsAbsent(three)),
            Is.EqualTo((false, true, true, false)));
    }

    [Test]
    public void Folders_are_made_with_those_above_them_and_removed()
    {
        var deep = Path.Join(At("\xFC"), ByteTree.PathOf("\xDF"));
        Assert.That((DiskDirectories.Create(deep), DiskDirectories.Create(deep), DiskDirectories.Exists(deep)),
            Is.EqualTo((true, false, true)));
        Assert.That(ByteTree.Names(_folder.Path), Is.EqualTo(new[] { ".", "./\xFC", "./\xFC/\xDF" }));
        Assert.That(() => DiskDirectories.Remove(At("\xFC")), Throws.InstanceOf<IOException>());
        DiskDirectories.Remove(deep);
        Assert.That(() => DiskDirectories.Remove(deep), Throws.InstanceOf<DirectoryNotFoundException>());
    }

    [Test]
    public void A_file_in_the_way_of_a_folder_is_an_error()
    {
        _folder.Add("f", []);
        Assert.That(() => DiskDirectories.Create(_folder["f"]), Throws.InstanceOf<IOException>());
        Assert.That(() => DiskDirectories.Create(_folder["f/g"]), Throws.InstanceOf<IOException>());
    }

    [Platform("Linux")]
    [TestCase("/proc/nosuch")]
    [TestCase("/proc/nosuch/deep/er")]
    public void A_folder_where_the_system_makes_none_is_an_error(string path) =>
        Assert.That(() => DiskDirectories.Create(path), Throws.InstanceOf<DirectoryNotFoundException>());

    [Test]
    public void Links_have_the_bytes_of_their_texts()
    {
        var text = ByteTree.PathOf("to-\xFF/" + string.Concat(Enumerable.Repeat("longer/", 100)));
        DiskLinks.Create(At("\xFE"), text, toFolder: false);
        Assert.That((DiskLinks.TargetOf(At("\xFE")), DiskLinks.TargetOf(_folder.Path)), Is.EqualTo((text, (string?)null)));
        Assert.That(FileStatus.Find(At("\xFE"), follow: false)?.IsLink, Is.True);
        Assert.That(FileStatus.Find(At("\xFE"), follow: true), Is.Null);
        DiskFiles.SetModified(At("\xFE"), Time, follow: false);
        Assert.That(FileStatus.Find(At("\xFE"), follow: false)!.Value.Modified, Is.EqualTo(Time));
    }

    [Test]
    public void A_path_with_NUL_is_no_shorter_path()
    {
        _folder.Add("f", []);
        Assert.That(() => DiskFiles.Delete(_folder["f\0g"]), Throws.ArgumentException);
        Assert.That(_folder.Files, Is.EqualTo(new[] { "f" }));
    }

    [Test]
    public void A_long_path_is_encoded_whole()
    {
        var path = Path.Join(_folder.Path, ByteTree.PathOf("\xE9\xE9" + new string('d', 240)),
            ByteTree.PathOf("\xFC" + new string('e', 240)), ByteTree.PathOf("\xDF" + new string('f', 240)));
        DiskDirectories.Create(path);
        Assert.That(ByteTree.Names(_folder.Path)[^1],
            Is.EqualTo($"./\xE9\xE9{new string('d', 240)}/\xFC{new string('e', 240)}/\xDF{new string('f', 240)}"));
    }

    [TestCase("file", true)]
    [TestCase("folder", true)]
    [TestCase("link", true)]
    [TestCase("link", false)]
    [TestCase("none", true)]
    public void Without_statx_the_status_is_the_same(string what, bool follow)
    {
        File.WriteAllBytes(_folder["file"], new byte[1234]);
        DiskFiles.SetMode(_folder["file"], (UnixFileMode)0b110_100_001);
        File.SetLastWriteTimeUtc(_folder["file"], Time);
        Directory.CreateDirectory(_folder["folder"]);
        File.CreateSymbolicLink(_folder["link"], "file");
        var (errno, status) = PortableStatus.TryRead(_folder[what], follow);
        var expected = FileStatus.Find(_folder[what], follow);
        if (expected is null) Assert.That(errno, Is.EqualTo(Errno.NotFound));
        else Assert.That(status with { Device = 0 }, Is.EqualTo(expected.Value with { Device = 0 }));
        Assert.That(Statx.IsSupported, "else nothing was compared");
    }

    [Test]
    public void A_file_that_another_has_for_itself_is_not_opened_and_neither_is_a_folder()
    {
        var path = _folder.Add("f", [1, 2]);
        using (LockedFile.Open(path))
        {
            Assert.That(() => DiskFiles.Open(path), Throws.InstanceOf<IOException>().With.Message.Contains("being used"));
            Assert.That(() => File.OpenHandle(path), Throws.InstanceOf<IOException>(), "programs of .NET see the lock");
            Assert.That(() => DiskFiles.Open(path, FileMode.Create, FileAccess.Write), Throws.InstanceOf<IOException>());
        }
        Assert.That(_folder.Read("f"), Has.Length.EqualTo(2), "what is locked is not emptied");
        Assert.That(() => DiskFiles.Open(_folder.Path), Throws.InstanceOf<UnauthorizedAccessException>());
        Assert.That(() => DiskFiles.Open(_folder["none"]), Throws.InstanceOf<FileNotFoundException>());
        using (DiskFiles.Open(path, FileMode.Create, FileAccess.Write)) Assert.That(_folder.Read("f"), Is.Empty);
    }

    [Test]
    public void Relative_paths_are_in_the_working_directory()
    {
        Assert.That(LocalPath.Full("a/../b"), Is.EqualTo(Path.Join(Environment.CurrentDirectory, "b")));
        Assert.That(LocalPath.Full("/a/./\uDCFF"), Is.EqualTo("/a/\uDCFF"));
    }

    private string At(string name) => Path.Join(_folder.Path, ByteTree.PathOf(name));
}
