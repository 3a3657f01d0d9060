using System.Runtime.Versioning;
using Transfer.Local;

namespace Transfer.Tests.Local;

[Platform("Linux", Reason = "Others have no such files.")]
[UnsupportedOSPlatform("windows")]
public sealed class UnnamedFileTests
{
    private TempFolder _folder = null!;

    [SetUp]
    public void SetUp() => _folder = new TempFolder();

    [TearDown]
    public void TearDown() => _folder.Dispose();

    [Test]
    public void It_can_be_seen_when_it_has_its_name_and_not_before()
    {
        using (var file = Create())
        {
            RandomAccess.Write(file.Handle, "content"u8, 0);
            Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path), Is.Empty);
            Assert.That(File.ReadAllText(file.Path), Is.EqualTo("content"));
            Assert.That(file.TryPublish(_folder["ä f"]), Is.True);
        }
        Assert.That(File.ReadAllText(_folder["ä f"]), Is.EqualTo("content"));
        Assert.That(File.GetUnixFileMode(_folder["ä f"]), Is.EqualTo(File.GetUnixFileMode(_folder.Add("usual", []))));
    }

    [Test]
    public void What_is_there_stays([Values("file", "folder", "link")] string there)
    {
        if (there == "file") _folder.Add("f", [1]);
        else if (there == "folder") Directory.CreateDirectory(_folder["f"]);
        else File.CreateSymbolicLink(_folder["f"], "nowhere");
        using (var file = Create()) Assert.That(file.TryPublish(_folder["f"]), Is.False);
        Assert.That(Directory.EnumerateFileSystemEntries(_folder.Path).Count(), Is.EqualTo(1));
        Assert.That(new FileInfo(_folder["f"]).LinkTarget, Is.EqualTo(there == "link" ? "nowhere" : null));
    }

    [Test]
    public void Without_a_folder_there_is_no_file()
    {
        using var file = Create();
        var refusal = Assert.Catch<IOException>(() => file.TryPublish(_folder["none/f"]));
        Assert.That(LocalErrors.Map(refusal!, "Cannot write", "f").Error, Is.EqualTo(TransferError.NotFound));
        Assert.That(UnnamedFile.TryCreate(_folder["none"], new OpenFiles(1)), Is.Null);
    }

    [Test]
    public void Its_place_is_given_back_once()
    {
        var places = new OpenFiles(1);
        var file = UnnamedFile.TryCreate(_folder.Path, places)!;
        Assert.That(UnnamedFile.TryCreate(_folder.Path, places), Is.Null);
        file.Dispose();
        file.Dispose();
        Assert.That(UnnamedFile.TryCreate(_folder["none"], places), Is.Null);
        Assert.That((places.TryTake(needed: false), places.HasRoom), Is.EqualTo((true, false)));
    }

    private UnnamedFile Create() => UnnamedFile.TryCreate(_folder.Path, OpenFiles.OfProcess)!;
}
